"""The values of all states: backward over layers, or in a graph whose states may repeat."""

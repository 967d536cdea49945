"""How to draw a state: shapes, things on a table, whole scenes. No part of what is compiled, and so no part of its digest."""

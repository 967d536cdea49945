"""Searched trees as SVG, text, DOT and Mermaid."""

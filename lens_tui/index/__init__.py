"""Chunks to a store and two indexes; a question to hits."""

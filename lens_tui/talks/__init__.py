"""Conversations of one folder, in a SQLite file beside the index: removing an index keeps them."""

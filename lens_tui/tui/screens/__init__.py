"""The main screen, and the pages over it."""

"""lens-tui: talk with your own files in a terminal, with every citation checked."""

__version__ = "0.1.0"

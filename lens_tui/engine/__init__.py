"""Lens in a process of its own: one for each indexed folder, which faces attach to or start."""

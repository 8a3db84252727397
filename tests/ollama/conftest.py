"""The scripted server that this room's tests speak to; the real one is every test's."""

from tests.ollama.scripted import scripted

__all__ = ["scripted"]

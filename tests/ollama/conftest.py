"""The servers that this room's tests speak to."""

from tests.ollama.real import real_ollama, running_ollama
from tests.ollama.scripted import scripted

__all__ = ["real_ollama", "running_ollama", "scripted"]

"""One module a format, each a protocols.Loader."""

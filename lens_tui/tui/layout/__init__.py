"""How text becomes lines of a given width: pure values, no widget."""

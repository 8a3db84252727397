"""From disk to Document: what is read, how it is decoded, and what its outline is."""

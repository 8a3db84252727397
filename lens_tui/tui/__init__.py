"""The terminal app: what a person sees and does, over the engine's socket."""

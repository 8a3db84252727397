"""The parts that screens are made of: given values, they post wishes."""

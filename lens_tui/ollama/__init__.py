"""The one place that speaks to a model's server."""

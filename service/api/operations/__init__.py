"""Routes for operators and developers: health, figures, keys, the OpenAPI document."""

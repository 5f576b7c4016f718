"""The process itself: settings, files, figures, logs, limits, and what infra refuses."""

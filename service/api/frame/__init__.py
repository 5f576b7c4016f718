"""What every route stands on: who asks, how bodies are read, how answers and errors leave."""

"""What happens after an append: bots answer, read models follow. Nothing here is needed for correctness."""

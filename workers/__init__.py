"""What follows from an append: bots answer, clocks run out, lists, notices and ratings follow the log."""

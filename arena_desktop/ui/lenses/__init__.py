"""What stands beside the ranking: one panel a lens. It draws the frozen view of its lens and says which it wants."""

"""Item models: rows as Qt's views want them."""

"""Models from a hub: what there is of one, what of it is brought, and how far it is."""

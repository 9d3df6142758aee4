"""Local checkpoint folders of the transformers library: reading them, choosing a device, one file an architecture."""

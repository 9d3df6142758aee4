"""Use cases: everything the window and the command line can ask for. Nothing here knows Qt."""

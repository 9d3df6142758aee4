"""Dialogs for votes on their way in and out, and files dropped on the window."""

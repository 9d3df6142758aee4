"""Python environments for engines: found, made, looked at.

Whoever keeps them is :mod:`arena_desktop.store.environments`.
"""

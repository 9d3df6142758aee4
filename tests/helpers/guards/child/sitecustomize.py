"""Loaded by every Python child of a test, by way of PYTHONPATH: the network guard goes with it."""

import os

import arena_network_guard

arena_network_guard.watch(os.environ.get("ARENA_DESKTOP_TEST_NETWORK_LOG"))

"""Finished recordings of prompts: which there are."""

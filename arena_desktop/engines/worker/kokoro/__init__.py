"""Kokoro-82M: its model in whatever form it lies on the disk, its styles and their blends, its languages."""

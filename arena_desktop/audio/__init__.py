"""What is heard: levels, the pure renderer, and the playback host in its own process."""

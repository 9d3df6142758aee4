"""Speech: the catalogue of engines, the parent's side of the worker process, and the worker itself."""

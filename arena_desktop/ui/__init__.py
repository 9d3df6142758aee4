"""The window: pages that draw what the services say and forward what the listener does. Qt is used nowhere else."""

"""The window: pages that draw what the services say and forward what the listener does. The only package that uses Qt."""

"""One SQL file for each step of the database's schema, in order."""

"""Files and SQL: the vote log, the clip cache, roster, settings, listeners, prompts."""

"""Ghost Fightin' Treasure Hunters: rules, clauses and words."""

"""Dark Horse: rules, clauses and words."""

"""Horror Race: rules, clauses and words."""

"""Witch Race: rules, clauses and words."""

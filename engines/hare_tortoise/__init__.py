"""The Hare and the Tortoise: rules, clauses and words."""

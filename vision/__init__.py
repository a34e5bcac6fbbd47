"""A picture in, an Observation out: what lies on the table, and whether that is sure."""

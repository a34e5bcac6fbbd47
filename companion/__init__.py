"""The application: the only room that knows engines, vision and hardware."""

"""How the networks of ``vision/model`` are made; nothing here is needed to run the companion."""

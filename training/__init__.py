"""How the networks of ``vision/dice/model`` are made; nothing here is needed to run the companion."""

"""Pure rules of the games: values in, rulings out; no I/O, no clock, no randomness."""

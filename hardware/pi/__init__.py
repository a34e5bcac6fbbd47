"""The devices of a Raspberry Pi: buttons on GPIO, an OLED on I2C, its camera."""

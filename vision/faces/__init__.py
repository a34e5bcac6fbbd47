"""Dice whose faces were taught: any picture on any die, read on a mat."""

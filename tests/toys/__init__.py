"""Tiny programs of ours that run in a real pseudo-terminal."""

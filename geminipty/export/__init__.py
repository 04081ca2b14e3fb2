"""Recordings and pictures in other forms, for people to look at.

Rule: what leaves here was painted on our screen first, so a hostile recording cannot reach the
terminal or browser that shows it.
"""

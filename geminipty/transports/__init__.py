"""The wires to a CLI: live, recorded, or read from a file.

Rule: everything that touches the outside for the terminal's sake lives here.
"""

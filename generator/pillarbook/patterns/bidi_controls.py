"""Characters that reverse the order in which text is shown, so that it reads as another text."""

import re

BIDI_CONTROLS = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""For a set of characters in a pattern.

Source: Unicode Standard Annex 9, "Directional Formatting Characters".
"""
BIDI_CONTROL = re.compile(f"[{BIDI_CONTROLS}]")

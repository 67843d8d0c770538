"""What was computed from secrets, found by compiling with placeholders in their place."""

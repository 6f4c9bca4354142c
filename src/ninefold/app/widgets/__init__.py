"""Widgets: each shows one thing and reports what is done to it; screens decide."""

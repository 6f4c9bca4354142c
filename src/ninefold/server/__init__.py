"""Matches over HTTP, and the page that plays them in a browser."""

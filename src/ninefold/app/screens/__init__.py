"""Screens: each decides what keys mean in one place of the app."""

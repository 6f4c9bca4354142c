"""The commands, one file each: a module's ``command``, loaded when it is asked for."""

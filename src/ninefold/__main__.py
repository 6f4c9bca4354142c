"""``python -m ninefold``: the same as the command ``ninefold``."""

import sys

from ninefold.cli import main

sys.exit(main())

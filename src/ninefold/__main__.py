"""``python -m ninefold``: the same as the command ``ninefold``."""

import sys

from ninefold.main import main

sys.exit(main())

"""A terminal driver that survives bytes that are not UTF-8."""

from __future__ import annotations

import os
import selectors
from codecs import getincrementaldecoder

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

_SECONDS_TO_LOOK = 0.1
"""How long to wait for bytes before an escape sequence counts as incomplete."""
_MOST_AT_ONCE = 4_096


class TerminalDriver(LinuxDriver):
    """Textual's driver, without its crash at the first byte that is not UTF-8.

    Terminals in another encoding send such bytes, or with Alt as the eighth bit, and
    noisy lines do. Each one becomes a key without a meaning.
    """

    def run_input_thread(self) -> None:
        """Read keys until the app ends or the terminal is closed."""
        parser = XTermParser()
        decode = getincrementaldecoder("utf-8")("replace").decode
        # The only selector that supports terminals on every system.
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(_SECONDS_TO_LOOK):
                    data = os.read(self.fileno, _MOST_AT_ONCE)
                    if not data:
                        return
                    for character in decode(data):
                        try:
                            for message in parser.feed(character):
                                self.process_message(message)
                        except ValueError:  # an escape sequence with odd numbers
                            parser = XTermParser()
                for message in parser.tick():
                    self.process_message(message)

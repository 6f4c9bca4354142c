"""Learning while playing: a word before a slip counts, and mental arithmetic."""

from __future__ import annotations

from ninefold.numerals import is_plain, read, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from ninefold.cli.agreement import Lessons
    from ninefold.cli.console import Console
    from ninefold.cli.keeping import Keeper
    from ninefold.game import Game
    from ninefold.rules import Rules
    from ninefold.theory import Oracle

    T = TypeVar("T")


class Teacher:
    """Sits beside a person, and speaks only when there is something to learn."""

    def __init__(
        self, console: Console, lessons: Lessons, rules: Rules, keeper: Keeper
    ) -> None:
        """Take what the person wants to learn by."""
        self._console = console
        self._lessons = lessons
        self._rules = rules
        self._keeper = keeper
        self._coaches = lessons.coach
        self._give_backs = lessons.give_backs
        self._known: Oracle | None = None

    @property
    def oracle(self) -> Oracle:
        """What knows the perfect answer in this match; whatever it finds, it keeps."""
        if self._known is None:
            from ninefold.theory import Oracle

            self._known = Oracle(self._rules)
        return self._known

    def begin_game(self) -> None:
        """Begin a game, with all of its give-backs."""
        self._give_backs = self._lessons.give_backs

    def before_turn(self, game: Game) -> None:
        """Say when the other player has just slipped."""
        if not self._coaches:
            return
        from ninefold.coach import opponent_slipped

        if self._look(lambda oracle: opponent_slipped(game, oracle)) is not None:
            self._console.say("Coach: that was a slip. The game is there to be won.\n")

    def lets_pass(self, game: Game, multiplier: int) -> bool:
        """Whether a move stands; one that gives the win away may be taken back."""
        if not self._coaches:
            return True
        from ninefold.cli.layout import say_wrapped
        from ninefold.coach import gives_away

        slip = self._look(lambda oracle: gives_away(game, multiplier, oracle))
        if slip is None:
            return True
        warning = f"Coach: that gives the win away. {slip.reason}"
        say_wrapped(self._console, self._console.fit(warning))
        if not self._give_backs:
            self._console.say("No move can be taken back any more in this game.\n")
            return True
        left = f"{self._give_backs} left"
        if not self._console.asks_yes(f"Take it back? ({left}; Y/n): ", default=True):
            return True
        self._give_backs -= 1
        return False

    def _look(self, see: Callable[[Oracle], T]) -> T | None:
        """Look at a position; where the answer is too far to see, say so once."""
        from ninefold.errors import TooLarge

        try:
            return see(self.oracle)
        except TooLarge:
            self._coaches = False
            self._console.say("Coach: this game goes further than I can see.\n")
            return None

    def ask_product(self, total: int, multiplier: int) -> None:
        """Ask for a product before it is shown; correct a wrong one, and keep both."""
        if not self._lessons.mental:
            return
        from ninefold.coach import Product

        question = f"{write(total)} x {write(multiplier)} = "
        answer = self._console.ask(question)
        while not is_plain(answer):
            self._console.say("Type the product in plain digits, or quit to leave.\n")
            answer = self._console.ask(question)
        product = Product(total, multiplier, read(answer))
        self._keeper.answer(total, multiplier, product.answer)
        if product.right:
            self._console.say("Right.\n")
        else:
            said = self._console.fit(f"Not quite: {product.correction}")
            self._console.say(f"{said}\n")

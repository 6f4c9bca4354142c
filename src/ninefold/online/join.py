"""Hosts, joins and watches matches on a server; the same command rejoins a seat."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import asdict, replace

from ninefold.errors import ProposalError, RequestRefused
from ninefold.online.credentials import Credentials
from ninefold.online.http_client import TRY_AGAIN, Client, new_request_id
from ninefold.online.links import MatchLink
from ninefold.online.messages import CreateMatch, TakeSeat
from ninefold.online.remote_table import RemoteTable
from ninefold.session import Proposal, ProposedLength
from ninefold.store import LogWriter

OWN_SERVER = "here"
"""The name of the host's own server, at any address."""
_OWN_BOOK = "servers do not support your own rule books; play this game on your machine"
_NOT_YET = "0" * 16
"""A placeholder for the id of a request, which is chosen when it is sent."""


def request_for(proposal: Proposal) -> CreateMatch:
    """Return the request for a proposal, in a form that is equal for equal matches."""
    if proposal.book_text is not None:
        field = "game"
        raise ProposalError(field, _OWN_BOOK)
    request = CreateMatch(**(asdict(proposal) | {"request_id": _NOT_YET}))
    setup = request.setup(0)
    return replace(
        request,
        game=setup.book,
        target=setup.rules.target,
        multipliers=setup.rules.multipliers,
        start=setup.rules.start,
        length=ProposedLength(setup.length.count, setup.length.number),
    )


class Seating:
    """Takes seats on one server, and rejoins them."""

    def __init__(
        self,
        client: Client,
        credentials: Credentials,
        writer: Callable[[], LogWriter] | None = None,
        *,
        server: str | None = None,
    ) -> None:
        """Play on the server of ``client``.

        ``writer`` creates the writer of a match's copy at home; None saves no copies.
        Agreements are stored under the name ``server``, by default its address.
        """
        self._client = client
        self._credentials = credentials
        self._writer = writer
        self._server = server or client.url

    def watch(self, link: MatchLink) -> RemoteTable:
        return RemoteTable(self._client, link)

    def rejoin(self, link: MatchLink) -> RemoteTable | None:
        """Rejoin the seat with the stored secret; None if there is no such seat.

        There is none, either, if the server has been set back to before it was taken.
        """
        secret = self._credentials.secret(link)
        if secret is None:
            return None
        table = self._open(link, secret)
        if not table.seats or table.seats[0] in table.session.empty_seats:
            table.close()
            return None
        return table

    def has_pending_request(self, link: MatchLink) -> bool:
        """Whether a seat was requested whose response may have been lost."""
        return self._credentials.has_request(f"seat {link} ")

    def join(self, link: MatchLink, name: str) -> RemoteTable:
        purpose = f"seat {link} {name}"
        request_id = self._credentials.request_id(purpose)
        try:
            with self._client.waited_for():
                taken = self._client.take_seat(
                    link.id, TakeSeat(name=name, request_id=request_id)
                )
        except RequestRefused as refused:
            if _is_final(refused):
                self._credentials.forget_request(purpose)
            raise
        self._credentials.add_secret(link, taken.secret)
        return self._open(link, taken.secret)

    def has_match(self, agreed: CreateMatch) -> bool:
        """Whether a match was created with this agreement."""
        return self._made_of(agreed) is not None

    def host(
        self,
        agreed: CreateMatch,
        settle: Callable[[], CreateMatch],
        *,
        new: bool = False,
    ) -> RemoteTable:
        """Rejoin the unfinished match created with this agreement, or create one.

        ``settle`` returns the agreement completed with what it leaves open. With
        ``new``, always create a match, and rejoin that one from then on.
        """
        request = None if new else self._made_of(agreed) or self._made_of(settle())
        if request is not None:
            self._credentials.add_match_request(request, self._agreement(agreed))
            table = self._create(request)
            if not table.session.match.is_over:
                return table
            table.close()
        settled = settle()
        request = replace(settled, request_id=new_request_id())
        both = self._agreement(agreed), self._agreement(settled)
        self._credentials.add_match_request(request, *both)
        return self._create(request)

    def _made_of(self, agreed: CreateMatch) -> CreateMatch | None:
        return self._credentials.match_request(self._agreement(agreed))

    def _agreement(self, request: CreateMatch) -> str:
        """Return the key of an agreement on this server, equal for equal requests."""
        same = replace(request, request_id=_NOT_YET)
        return f"{self._server} {msgspec.json.encode(same).decode()}"

    def _create(self, request: CreateMatch) -> RemoteTable:
        """Create a match; a repeated request returns the same one."""
        try:
            with self._client.waited_for():
                made = self._client.create(request)
        except RequestRefused as refused:
            if _is_final(refused):
                self._credentials.forget_match_request(request)
            raise
        link = MatchLink(self._client.url, made.id)
        self._credentials.add_secret(link, made.secret)
        return self._open(link, made.secret)

    def _open(self, link: MatchLink, secret: str) -> RemoteTable:
        writer = None if self._writer is None else self._writer()
        return RemoteTable(self._client, link, secret=secret, writer=writer)


def _is_final(refused: RequestRefused) -> bool:
    """Whether a refusal is permanent."""
    return refused.status not in TRY_AGAIN

"""The pages of one payload."""

from __future__ import annotations

from ._lib import Delivery, deliver, payload_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Unpack

    from ._types import DeliverKeywords, Payload


def pages(payload: Payload, /, **options: Unpack[DeliverKeywords]) -> Iterator[Delivery]:
    """Delivers a payload page by page, until every record was delivered once, whole or shrunk.

    Takes the keywords of `deliver`; a `cursor` says where to begin. What can change between two pages (`bytearray`,
    a dict) is read once, before the first.

        >>> [d.account.kept for d in haversack.pages(rows, chars=2_000)]
        [61, 60, 60, 19]

    Raises:
        HaversackError: As `deliver`, at the page where it happens.
    """
    if not isinstance(payload, (str, bytes)):
        if not isinstance(payload, (bytearray, memoryview)):
            options.setdefault("format", "json")
        payload = payload_bytes(payload)
    while True:
        page = deliver(payload, **options)
        yield page
        # An empty page at the very end is the one that makes no progress.
        if page.next is None or page.next == options.get("cursor"):
            return
        options["cursor"] = page.next

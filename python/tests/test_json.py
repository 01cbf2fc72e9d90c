"""Values as JSON: what the standard library writes, byte for byte, and its refusals."""

import collections
import enum
import json
import math
import random
import sys
from typing import Any

import haversack
import pytest
from haversack import payload_bytes


class Text(str):
    def __str__(self) -> str:
        return "not this"


class Number(int):
    def __repr__(self) -> str:
        return "not this"


class Colour(enum.IntEnum):
    RED = 7


class Name(str, enum.Enum):
    ANNA = "anna"


class Record(dict[str, Any]):
    pass


class Rows(list[Any]):
    pass


class Fraction(float):
    def __repr__(self) -> str:
        return "not this"


def by_library(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


# Every character that is escaped, with neighbours, and some of each length in UTF-8.
CHARACTERS = [chr(c) for c in range(0x30)] + list('abc\\]["\x7f\x80é\u2028\u20ac\ud7ff\ue000\uffff😀\U0010ffff')
KEYS: list[Any] = [1, -7, 2**70, True, False, None, 1.5, 1e300, Text("key"), Colour.RED, Name.ANNA, Number(5)]
ODD: list[Any] = [Text("é\"\n"), Number(9), Colour.RED, Name.ANNA, Record(a=1), Rows([1]), Fraction(0.5),
                  collections.OrderedDict(b=1, a=[2]), collections.defaultdict(int, x=1)]


def text(draw: random.Random) -> str:
    return "".join(draw.choices(CHARACTERS if draw.random() < 0.5 else "plain words ", k=draw.choice((0, 1, 5, 17, 40, 300))))


def number(draw: random.Random) -> object:
    return draw.choice([
        lambda: draw.randint(-100, 100),
        lambda: draw.getrandbits(draw.choice((31, 32, 63, 64, 65, 200))) * draw.choice((1, -1)),
        lambda: draw.uniform(-1, 1) * 10.0 ** draw.randint(-320, 307),
        lambda: draw.choice((0.0, -0.0, 1e16, 1e-5, 5e-324, sys.float_info.max, 2.0**53)),
    ])()


def value(draw: random.Random, depth: int, odd: float) -> object:
    """Any value; so often one that is not of the plain types."""
    kind = draw.randrange(4 if depth == 0 else 7)
    if draw.random() < odd:
        return draw.choice(ODD)
    if kind < 2:
        return text(draw)
    if kind == 2:
        return number(draw)
    if kind == 3:
        return draw.choice((True, False, None))
    inside = [value(draw, depth - 1, odd) for _ in range(draw.choice((0, 1, 2, 5)))]
    if kind == 4:
        return tuple(inside)
    if kind == 5:
        return inside
    return {draw.choice(KEYS) if draw.random() < odd else text(draw): one for one in inside}


@pytest.mark.parametrize("odd", [0.0, 0.02])
def test_any_value_is_what_the_standard_library_writes(odd: float) -> None:
    draw = random.Random(20261130)
    for _ in range(3_000):
        given = value(draw, 5, odd)
        if isinstance(given, str):
            continue  # text is itself
        assert payload_bytes(given) == by_library(given), given


@pytest.mark.parametrize("key", KEYS)
def test_keys_that_are_no_text(key: object) -> None:
    assert payload_bytes({"a": {key: 1}}) == by_library({"a": {key: 1}})


@pytest.mark.parametrize("length", range(40))
def test_an_escape_anywhere(length: int) -> None:
    for at in range(length + 1):
        for character in CHARACTERS:
            given = ["x" * at + character + "y" * (length - at)]
            assert payload_bytes(given) == by_library(given)


REFUSED: list[tuple[Any, str]] = [
    ({"a": [math.nan]}, "bad_argument"),
    ([math.inf], "bad_argument"),
    ([-math.inf], "bad_argument"),
    ({"a": {1, 2}}, "bad_argument"),
    ({"a": b"bytes"}, "bad_argument"),
    ({(1, 2): 3}, "bad_argument"),
    ([object()], "bad_argument"),
    ([10**5000], "bad_argument"),
    (["é\ud800"], "invalid_utf8"),
    ({"\udfff": 1}, "invalid_utf8"),
]


@pytest.mark.parametrize(("given", "kind"), REFUSED)
def test_what_has_no_json_is_refused(given: object, kind: str) -> None:
    for take in (payload_bytes, haversack.History, lambda value: haversack.deliver(value, chars=100)):
        with pytest.raises(haversack.HaversackError) as caught:
            take(given)
        assert caught.value.kind == kind, take


def test_a_half_surrogate_is_named_by_its_place_in_the_json() -> None:
    with pytest.raises(haversack.InputError) as caught:
        payload_bytes({"é": "\ud800"})
    assert (caught.value.index, caught.value.offset) == (6, 7)


def test_cycles_are_refused() -> None:
    ring: list[Any] = []
    ring.append({"a": (ring,)})
    own: dict[str, Any] = {}
    own["self"] = own
    for given in (ring, own):
        with pytest.raises(haversack.HaversackError) as caught:
            payload_bytes(given)
        assert caught.value.kind in ("bad_argument", "too_deep")


@pytest.mark.parametrize("depth", [1, 511, 512, 513, 600])
def test_nesting_as_deep_as_the_library_goes(depth: int) -> None:
    given: list[Any] = []
    for _ in range(depth - 1):
        given = [given]
    assert payload_bytes(given) == by_library(given)


def test_nesting_without_end_is_an_error() -> None:
    given: list[Any] = []
    for _ in range(200_000):
        given = [given]
    with pytest.raises(haversack.HaversackError) as caught:
        haversack.History(given)
    assert caught.value.kind == "too_deep"
    while given:  # taken apart here, so that no destructor recurses
        given = given.pop()

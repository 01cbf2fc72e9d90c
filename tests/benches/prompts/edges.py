"""What serialisers that say canonical do at the edges of RFC 8785.

    python edges.py

Each is given JSON text, as a host has it: the peers through `json.loads`. A cell says whether it writes what the RFC says, writes
something else, refuses, or refuses with the byte. The last rows have no canonical form: there, refusing is right.
"""
import json

import canonicaljson
import jcs
import rfc8785

import haversack

PEERS = [
    ("haversack", lambda text: str(haversack.canonical_json(text)).encode()),
    ("rfc8785", lambda text: rfc8785.dumps(json.loads(text))),
    ("jcs", lambda text: jcs.canonicalize(json.loads(text))),
    ("canonicaljson", lambda text: canonicaljson.encode_canonical_json(json.loads(text))),
    ("json, sort_keys", lambda text: json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()),
]
# What it is, the text, and what the RFC says; nothing where there is no canonical form.
EDGES = [
    ("keys above U+FFFF, by UTF-16", '{"\ufb33":1,"\U0001f600":2}', '{"\U0001f600":2,"\ufb33":1}'),
    ("2^53 + 1", "9007199254740993", "9007199254740992"),
    ("minus zero", "-0.0", "0"),
    ("1e21", "1e21", "1e+21"),
    ("1e-7", "0.0000001", "1e-7"),
    ("333333333.33333329", "333333333.33333329", "333333333.3333333"),
    ("an integer of 25 digits", "1234567890123456789012345", "1.2345678901234568e+24"),
    ("control characters", '"\\u000f\\n\\/"', '"\\u000f\\n/"'),
    ("the RFC's own sample of strings", '"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\\"\\/"', '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'),
    ("a key twice", '{"a":1,"a":2}', None),
    ("half a surrogate pair", '"\\ud800"', None),
    ("1e400", "1e400", None),
    ("NaN", "NaN", None),
]


def verdict(serialise, text, wanted):
    try:
        written = serialise(text)
    except haversack.HaversackError as error:
        return "refused" if error.offset is None else f"refused, byte {error.offset}"
    except Exception:
        return "refused"
    if wanted is None:
        return "WRITES " + written[:10].decode(errors="replace")
    return "right" if written == wanted.encode() else "OTHER " + written[:14].decode(errors="replace")


def main():
    print(f"\n{'':<34}" + "".join(f"{name:>24}" for name, _ in PEERS))
    for what, text, wanted in EDGES:
        cells = [verdict(serialise, text, wanted) for _, serialise in PEERS]
        assert cells[0] == "right" if wanted else cells[0].startswith("refused"), (what, cells[0])
        print(f"{what:<34}" + "".join(f"{cell:>24}" for cell in cells))
    print("\n2^53 + 1 is no double: haversack writes what the RFC says and reports the number; rfc8785 refuses it.")


if __name__ == "__main__":
    main()

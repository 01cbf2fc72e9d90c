"""What a trimmer leaves of 200 clean histories: would the provider still take them, and what is lost?

    python fidelity.py [HISTORIES]

Each history is trimmed to 50, 25 and 10 percent of its size, in the peer's own unit and by its own count, and judged by
`judge.py`, which shares no code with haversack; how often haversack's own `violations` say otherwise is printed at the
end. Columns, in trims of all histories at one budget:

    refused    nothing is delivered, and the reason is an error
    broken     the provider would refuse what is left; the first reason and how often
    emptied    nothing is left but the system prompt
    question   the last user message is gone
    system     the system prompt is gone (where it is one of the messages)
    over       larger than the budget
    altered    a message is left that the input did not have: shortened or merged
    kept       share of the budget that is used, mean over what is neither broken nor emptied nor over it
"""
import json
import sys
from collections import Counter

import haversack
import inputs
import judge
import peers

SHARES = (0.5, 0.25, 0.1)


class Judge:
    """The kinds of violation by `judge.py`, and a count of the verdicts that haversack does not share."""

    def __init__(self):
        self.verdicts = self.otherwise = 0

    def __call__(self, format, messages, request):
        found = [kind for kind, _ in judge.violations(format, messages, request)]
        history = haversack.History(messages, format=format, request=request, profile="provider")
        self.verdicts += 1
        self.otherwise += bool(found) != bool(history.violations(sending=True))
        return found


def row(peer, share, histories, violations):
    counts, reasons, kept = Counter(), Counter(), []
    for history in histories:
        messages, request = inputs.written(history, peer.format)
        budget = max(1, int(peer.size(messages) * share))
        try:
            left = peer.trim(messages, budget)
        except peers.Refused:
            counts["refused"] += 1
            continue
        rest = [m for m in left if m.get("role") != "system"]
        found = violations(peer.format, left, request) if rest else []
        if found:
            counts["broken"] += 1
            reasons[found[0]] += 1
        text = json.dumps(left)
        known = {json.dumps(m, sort_keys=True) for m in peer.same(messages)}
        size = peer.size(left)
        counts["emptied"] += not rest
        counts["question"] += json.dumps(inputs.last_question(history)) not in text
        counts["system"] += peer.format == "openai_chat" and json.dumps(inputs.SYSTEM) not in text
        counts["over"] += size > budget
        counts["altered"] += any(json.dumps(m, sort_keys=True) not in known for m in left)
        if rest and not found and size <= budget:
            kept.append(size / budget)
    return counts, reasons, kept


def main(count):
    histories = inputs.clean(count)
    violations = Judge()
    for history in histories:
        for format in inputs.FORMATS:
            messages, request = inputs.written(history, format)
            found = violations(format, messages, request)
            assert not found, f"a history of {format} is not clean: {found}"
    lengths = sorted(len(inputs.chat(history)[0]) for history in histories)
    print(f"{count} clean histories of {lengths[0]} to {lengths[-1]} OpenAI Chat messages (median {lengths[count // 2]}), "
          f"seed 20261130; judge: {judge.__name__}.py, which shares no code with haversack")
    failures, before = 0, None
    for peer in peers.all_peers():
        if (peer.format, peer.unit) != before:
            before = (peer.format, peer.unit)
            print(f"\n{peer.format}, {peer.unit}")
            print(f"{'':<34}{'budget':>7}{'refused':>9}{'broken':>8}{'emptied':>9}{'question':>10}{'system':>8}{'over':>6}{'altered':>9}{'kept':>7}")
        for share in SHARES:
            counts, reasons, kept = row(peer, share, histories, violations)
            columns = (("refused", 9), ("broken", 8), ("emptied", 9), ("question", 10), ("system", 8), ("over", 6), ("altered", 9))
            cells = "".join(f"{counts[c]:>{width}}" for c, width in columns)
            mean = f"{100 * sum(kept) / len(kept):>5.0f} %" if kept else f"{'-':>7}"
            why = ", ".join(f"{kind} {n}" for kind, n in reasons.most_common(2))
            print(f"{peer.name if share == SHARES[0] else '':<34}{100 * share:>5.0f} %{cells}{mean}  {why}".rstrip(), flush=True)
            if peer.name == "haversack":
                failures += any(counts[c] for c in ("broken", "emptied", "question", "system", "over"))
    print("\nOf " + str(count) + " histories. haversack refuses where the system prompt, the last user message and the last step do not fit"
          "\nthe budget even with results reduced; peers that deliver there lose one of them. Peers count as they count themselves,"
          "\nso kept is comparable within a row's unit only. strands-agents leaves a history as it is where it finds no place.")
    print(f"Of {violations.verdicts} verdicts of the judge haversack's own `violations` share all but {violations.otherwise}.")
    return failures


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200) != 0)

# pyright: strict
"""What type checkers must accept and refuse. They read this; nobody runs it."""

from typing import Any, Literal, assert_type

import haversack
from haversack import readback


def deliver() -> None:
    d = haversack.deliver({"rows": [1, 2, 3]}, chars=100, keep="both", select=["/rows"], limits={"depth": 9})
    assert_type(d, haversack.Delivery)
    assert_type(d.text, str)
    assert_type(d.next, str | None)
    assert_type(d.lists, dict[str, haversack.ListAccount])
    assert_type(d.account.bytes.kept, int)
    assert_type(d.account.claimed, haversack.Counts | None)
    assert_type(d.plan, tuple[haversack.Run, ...])
    assert_type(d.plan[0].action, Literal["keep", "shrink", "omit"])
    haversack.deliver(b"", tokens=10, counter=len)
    haversack.deliver("", tokens=10, counter="estimate", earlier=d.account)
    haversack.deliver("", chars=10, keep="middle")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    haversack.deliver("", chars="10")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    haversack.deliver("", 10)  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
    d.text = ""  # type: ignore[misc] # pyright: ignore[reportAttributeAccessIssue]
    for page in haversack.pages([1], chars=10):
        assert_type(page, haversack.Delivery)
    haversack.pages([1], chars=10, keep="middle")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert_type(haversack.page("", 1, 2, chars=10), haversack.Delivery)
    assert_type(haversack.find("", "x", chars=10), haversack.Delivery)
    assert_type(haversack.deliver_mcp({"content": []}, chars=10), haversack.Delivery)


def offload() -> None:
    store, table = haversack.DirectoryStore("."), haversack.Offloads()
    step = table.prepare("", "c1", over=10, unit="tokens", counter=len)
    if step.action == "store" and step.key is not None:
        assert_type(table.commit(step.key, store.put(step.key, "")).text, str | None)
    assert_type(readback.tool_definitions("mcp")[0]["name"].upper(), object)  # type: ignore[assert-type] # pyright: ignore
    assert_type(readback.execute(table, store.read, "haversack_read", {"key": "k"}, chars=10), haversack.Delivery)


def prompts() -> None:
    p = haversack.Prompt.from_request({"messages": []}, format="anthropic", limits={"depth": 9})
    p.add("rules", "Be brief.", layer="static", kind="instructions", budget=100, owner="platform")
    p.add("rules", "", layer="often")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    p.add_tool("f", {"name": "f"}, layer="rare")
    assert_type(p.without_conversation(), haversack.Prompt)
    report = p.report(budget=1_000, counter=len)
    assert_type(report.layers, dict[str, int])
    assert_type(report.per_call, int | None)
    assert_type(report.overran[0].owner, str | None)
    assert_type(haversack.growth(first=report.total, per_call=report.per_call or 0, calls=9).input, int)
    found = haversack.compare(p.snapshot(counter="estimate", key=b"k"), p)
    assert_type(found.at_byte, int | None)
    assert_type(found.changes[0].was, str | None)
    assert_type(haversack.shared_prefix(p, p).tokens, int | None)
    assert_type(haversack.volatile(p)[0].at_byte, int)
    cost = haversack.predict(None, {"messages": []}, rules="openai/auto", counter=len, limits={"depth": 9})
    assert_type(cost.cached_range, tuple[int, int])
    haversack.predict(None, {}, rules="mine")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert_type(haversack.cache_marks({}, life="1h").marks[0].message, int | None)
    sections = haversack.Frozen({"memory": ""})
    assert_type(sections.update("memory", None), haversack.Note | None)
    assert_type(sections.cost(counter=len).stale_tokens, int)
    assert_type(haversack.canonical_json({}).warnings[0].offset, int)


def state() -> None:
    led = haversack.Ledger()
    assert_type(led.record("a", {"b": [1]}, kind="task"), Literal["added", "updated", "merged", "older"])
    led.record("a", 1, kind="idea")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert_type(led.extract(b"{}", {"a": "/a"}).account.omitted, int)
    assert_type(led.get("a"), haversack.Fact | None)
    assert_type(led.history("a")[0].also[0].turn, int | None)
    assert_type(led.news(tokens=9, counter=len), haversack.Rendered | None)
    assert_type(led.placement_costs(led.render(), 9, counter="estimate").system, int)
    mem = haversack.Memory(cap=9, on_full="evict")
    assert_type(mem.add("x", at=1).evicted, haversack.MemoryItem | None)
    assert_type(mem.slice(now=1, chars=9).size, int)
    assert_type(mem.search("x")[0].item.also[0].at, int)
    assert_type(mem.merge(mem).flush("2026-01-01"), haversack.FlushFile | None)
    assert_type(haversack.flush_request(date="2026-01-01").silent, str)
    answer = haversack.grounds("act", [*led.facts(), *mem.search("x"), *mem.items()])
    assert_type(answer, haversack.Grounds)
    haversack.grounds("act", [1])  # type: ignore[list-item] # pyright: ignore[reportArgumentType]


def runs(account: haversack.Account) -> None:
    h = haversack.Handoff.parse({"kind": "empty", "looked": ["logs"]}, stop_reason="end_turn")
    assert_type(h.findings[0].sources, list[str])
    assert_type(h.render(tokens=9, counter=len), haversack.Rendered)
    assert_type(h.unresolved(haversack.Transcript(), resolves=bool)[0].source, str)
    assert_type(haversack.Fleet().count("silent"), int)
    haversack.Fleet().count("quiet")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert_type(haversack.session_files("2026-11-30", "x", features={"a": True}), list[haversack.SessionFile])
    t = haversack.Transcript()
    assert_type(t.append({"role": "user"}), int)
    assert_type(t.read(1, 1)[0].message, dict[str, Any])
    assert_type(t.resolve("message 1"), tuple[int, int])
    assert_type(t.check("")[0].holds, bool | None)
    with open("transcript.jsonl", "rb") as file:
        here = haversack.TranscriptFile(file)
        assert_type(here.read(1, 2), list[haversack.Message])
        assert_type(here.search("x"), list[haversack.TranscriptHit])
        assert_type(here.resolve("message 1"), tuple[int, int])
        assert_type(here.check("message 1"), list[haversack.Reference])
        assert_type([damage for _, found in here.pieces(1, 2) for damage in found], list[haversack.Damage])
    assert_type((t.copy(), haversack.Fleet().copy(), haversack.Tally().copy()), tuple[haversack.Transcript, haversack.Fleet, haversack.Tally])
    assert_type(haversack.foreign_calls([{"role": "user"}], ["query"])[0].id, str | None)
    assert_type(haversack.hand_over({"messages": []}, {"query"}, format="anthropic"), haversack.Repair)
    tally = haversack.Tally()
    tally.add("delivery", account, recoverable=True)
    tally.add("door", account)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert_type(tally.sums("delivery"), haversack.Sums | None)
    assert_type(haversack.tiers("x", None, haversack.History([]), chars=9).kept, list[int])


def errors() -> None:
    try:
        haversack.deliver("", chars=1)
    except haversack.BudgetError as error:
        assert_type(error.needed, int | None)
        assert_type(error.kind, str)


def histories(counter: haversack.Counter, limits: haversack.Limits, payload: haversack.Payload) -> None:
    cut = haversack.History(payload, limits=limits).cut(10, counter=counter)
    if not isinstance(cut, haversack.NothingToCut):
        assert_type(cut.strip, list[haversack.Strip])
        index, path, before, after = cut.reduced[0]
        assert_type((index, path, before, after), tuple[int, str, int, int])
        assert_type(cut.reduced[0].index, int)
        assert_type(cut.plan[0].source, int | None)
        source, text = cut.plan[0]
        assert_type((source, text), tuple[int | None, str | None])
    mark = haversack.Prompt.from_request(payload).automatic_mark
    assert_type(mark, haversack.AutomaticMark | None)
    assert_type(haversack.Prompt().pieces[0].marks[0].seconds, int | None)
    haversack.convert.langchain([])
    haversack.converters  # type: ignore[attr-defined] # pyright: ignore

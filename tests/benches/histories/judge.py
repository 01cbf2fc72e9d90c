"""Would a provider take these messages? A judge that is no part of haversack and shares no code with it.

    violations(format, messages, request) -> [(kind, index of the message)], sorted by message

Written from the table of rules in core/DESIGN.md, whose ids stand beside the checks, and slower and shorter than the
library: it knows plain text, calls and results, which is all that the histories of `inputs.py` hold. Anything else is a
ValueError, so that nothing passes because it was not understood. The question is that of a request that goes out now,
to a model that takes no prefill; kinds have haversack's names.
"""
import re

OPENAI_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
ANTHROPIC_NAME = re.compile(r"[A-Za-z0-9_-]{1,128}\Z")
GEMINI_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}\Z")
ANTHROPIC_ID = re.compile(r"[A-Za-z0-9_-]+\Z")
BEDROCK_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}\Z")


def violations(format, messages, request):
    if not messages:
        return [("empty_content", 0)]       # OC-R6, GE-R5
    found = list(JUDGES[format](messages, request or {}))
    return sorted(found, key=lambda one: one[1])


def only(value, *members):
    """Members that this judge does not know are nothing that it can judge."""
    unknown = set(value) - set(members)
    if unknown:
        raise ValueError(f"the judge does not know {sorted(unknown)}")


def texts(content, kinds):
    """The texts of a content that is a string or a list of text parts."""
    if isinstance(content, str):
        return [content]
    for part in content:
        only(part, "type", "text", "annotations")
        if part["type"] not in kinds:
            raise ValueError(f"the judge does not know parts of type {part['type']!r}")
    return [part["text"] for part in content]


def runs(messages, side):
    """`(side, indices)` of messages of one side in a row."""
    out = []
    for index, message in enumerate(messages):
        if out and out[-1][0] == side(message):
            out[-1][1].append(index)
        else:
            out.append((side(message), [index]))
    return out


def chat(messages, _):
    open_ids, answered, caller = set(), set(), None
    for index, message in enumerate(messages + [{"role": None}]):
        role, content = message["role"], message.get("content")
        only(message, "role", "content", "tool_calls", "tool_call_id", "name")
        if role == "tool":
            id = message["tool_call_id"]
            if id in answered:
                yield "duplicate_result", index
            elif id not in open_ids:
                yield "orphan_result", index        # OC-R2
            open_ids.discard(id)
            answered.add(id)
        else:
            for _ in open_ids:
                yield "missing_result", caller      # OC-R1: something else stands here, or nothing
            calls = message.get("tool_calls") or []
            open_ids, answered, caller = {call["id"] for call in calls}, set(), index
            if len(open_ids) < len(calls):
                yield "duplicate_call_id", index    # OC-R10
            if len(calls) > 128:
                yield "too_many_calls", index       # OC-R6
            for call in calls:
                if not call["id"] or len(call["id"]) > 40:
                    yield "id_too_long", index      # OC-R7
                if not OPENAI_NAME.match(call["function"]["name"]):
                    yield "bad_tool_name", index    # OC-R8
        if role is None:
            break
        if role not in ("system", "developer", "user", "assistant", "tool"):
            yield "bad_role", index
        if content is None:
            if role != "assistant" or not message.get("tool_calls"):
                yield "empty_content", index        # OC-R4
        elif not texts(content, ("text",)):
            yield "empty_content", index            # OC-R5
    if len(messages) > 2048:
        yield "too_many_messages", 2048


def responses(messages, _):
    calls, answered = {}, set()
    for index, item in enumerate(messages):
        kind = item.get("type", "message")
        if kind == "function_call":
            only(item, "type", "call_id", "name", "arguments", "id", "status")
            if item["call_id"] in calls and item["call_id"] not in answered:
                yield "duplicate_call_id", index
            if not 0 < len(item["call_id"]) <= 64:
                yield "id_too_long", index          # OR-R11
            calls[item["call_id"]] = index
            answered.discard(item["call_id"])
        elif kind == "function_call_output":
            only(item, "type", "call_id", "output", "id", "status")
            if item["call_id"] in answered:
                yield "duplicate_result", index
            elif item["call_id"] not in calls:
                yield "orphan_result", index        # OR-R2
            answered.add(item["call_id"])
        elif kind == "message":
            only(item, "type", "role", "content", "id", "status")
            if not texts(item["content"], ("input_text", "output_text")) and item["role"] != "assistant":
                yield "empty_content", index
        else:
            raise ValueError(f"the judge does not know items of type {kind!r}")
    for id, index in calls.items():
        if id not in answered:
            yield "missing_result", index           # OR-R1


def blank(said, index):
    """No text is empty, and together they say something (AN-R12, BE-R6)."""
    if "" in said:
        yield "empty_content", index
    elif said and not "".join(said).strip():
        yield "whitespace_text", index


def anthropic(messages, _):
    sides = runs(messages, lambda message: message["role"])
    if sides[0][0] != "user":
        yield "bad_first_role", 0                   # AN-R9
    if sides[-1][0] != "user":
        yield "bad_last_role", len(messages) - 1    # AN-R10
    due = {}                                        # the calls of the assistant's turn before
    for side, indices in sides:
        if side not in ("user", "assistant"):
            raise ValueError(f"the judge does not know messages of {side!r}")
        calls, answered, other = {}, set(), False
        for index in indices:
            only(messages[index], "role", "content")
            content = messages[index]["content"]
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
            if not blocks and side == "user":
                yield "empty_content", index
            said = texts([block for block in blocks if block["type"] == "text"], ("text",))
            if len(said) == len(blocks):
                yield from blank(said, index)
            elif "" in said:
                yield "empty_content", index
            for block in blocks:
                if block["type"] == "text":
                    other = True
                elif block["type"] == "tool_use" and side == "assistant":
                    if block["id"] in calls:
                        yield "duplicate_call_id", index        # AN-R5
                    if not ANTHROPIC_ID.match(block["id"]):
                        yield "bad_id_charset", index           # AN-R6
                    if not ANTHROPIC_NAME.match(block["name"]):
                        yield "bad_tool_name", index            # AN-R7
                    calls[block["id"]] = index
                elif block["type"] == "tool_result" and side == "user":
                    id = block["tool_use_id"]
                    if id in answered:
                        yield "duplicate_result", index         # AN-R4
                    elif id not in due:
                        yield "orphan_result", index            # AN-R3
                    elif other:
                        yield "result_not_first", index         # AN-R2, over messages that count as one (AN-R8)
                    answered.add(id)
                else:
                    raise ValueError(f"the judge does not know {block['type']!r} of {side!r}")
        for id, index in due.items():
            if id not in answered:
                yield "missing_result", index                   # AN-R1
        due = calls
    for index in due.values():
        yield "missing_result", index


def gemini(messages, _):
    sides = runs(messages, lambda message: message["role"])
    if sides[-1][0] != "user":
        yield "bad_last_role", len(messages) - 1    # GE-R6
    due = []                                        # `(id or name, index)` of the calls of the run before
    for number, (side, indices) in enumerate(sides):
        if side not in ("user", "model"):
            yield "bad_role", indices[0]            # GE-R7
            continue
        calls, spoken = [], False
        for index in indices:
            only(messages[index], "role", "parts")
            parts = messages[index]["parts"]
            if not parts:
                yield "empty_content", index        # GE-R5
            for part in parts:
                only(part, "text", "functionCall", "functionResponse")
            answers = [part["functionResponse"] for part in parts if "functionResponse" in part]
            made = [part["functionCall"] for part in parts if "functionCall" in part]
            if answers and side == "model" or made and side == "user":
                yield "misplaced_block", index
            if answers and len(answers) < len(parts):
                yield "mixed_result_and_text", index            # GE-R4
            for call in made:
                if number == 0:
                    yield "call_without_user_turn", index       # GE-R2
                if not GEMINI_NAME.match(call["name"]):
                    yield "bad_tool_name", index                # GE-R14
                calls.append((call.get("id") or call["name"], index))
            for answer in answers:
                if not isinstance(answer["response"], dict):
                    yield "wrong_result_type", index            # GE-R13
                key = answer.get("id") or answer["name"]
                place = next((at for at, (one, _) in enumerate(due) if one == key), None)
                if place is None:
                    yield "orphan_result", index                # GE-R1, GE-R3
                else:
                    due.pop(place)
                    if spoken:
                        yield "result_not_adjacent", index      # GE-R3
            spoken |= not answers
        for _, index in due:
            yield "missing_result", index                       # GE-R1
        due = calls
    for _, index in due:
        yield "missing_result", index


def bedrock(messages, request):
    if messages[0]["role"] != "user":
        yield "bad_first_role", 0                   # BE-R5
    if messages[-1]["role"] != "user":
        yield "bad_last_role", len(messages) - 1    # AN-R10
    due, before, tools = {}, None, None
    for index, message in enumerate(messages):
        only(message, "role", "content")
        if message["role"] == before:
            yield "role_not_alternating", index     # BE-R4
        before = message["role"]
        calls, answered, said = {}, set(), []
        for block in message["content"]:
            only(block, "text", "toolUse", "toolResult")
            tools = index if tools is None and "text" not in block else tools
            if "text" in block:
                said.append(block["text"])
            elif "toolUse" in block:
                id = block["toolUse"]["toolUseId"]
                if id in calls:
                    yield "duplicate_call_id", index
                if not BEDROCK_ID.match(id):
                    yield "bad_id_charset", index               # BE-R11
                if not OPENAI_NAME.match(block["toolUse"]["name"]):
                    yield "bad_tool_name", index                # BE-R11
                calls[id] = index
            else:
                id = block["toolResult"]["toolUseId"]
                if id in answered:
                    yield "duplicate_result", index             # BE-R3
                elif id not in due:
                    yield "orphan_result", index                # BE-R2
                if block["toolResult"].get("status") == "error" and not block["toolResult"]["content"]:
                    yield "error_result_empty", index           # BE-R7
                answered.add(id)
        if not message["content"]:
            yield "empty_content", index
        elif len(said) == len(message["content"]):
            yield from blank(said, index)                       # BE-R6
        for id, caller in due.items():
            if id not in answered:
                yield "missing_result", caller                  # BE-R1
        due = calls
    for caller in due.values():
        yield "missing_result", caller
    if tools is not None and not request.get("toolConfig", {}).get("tools"):
        yield "tool_config_missing", tools                      # BE-R8


JUDGES = {"openai_chat": chat, "openai_responses": responses, "anthropic": anthropic, "gemini": gemini, "bedrock": bedrock}

"""Clean chat histories, drawn once without a format and written in each of the five; the same for the same seed.

A history is a list of turns: `("user", text)`, `("answer", text)` and `("step", text, calls)` with calls
`(id, tool, arguments, result)`. It ends with a question of the user or with results, as histories do that go out next.
Every text says something that no other text of its history says. There is no reasoning in them: not every peer could
take it along.
"""
import json
import random

FORMATS = ("openai_chat", "openai_responses", "anthropic", "gemini", "bedrock")
SYSTEM = "You help with a code base. Answer briefly, and say which files you looked at."
WORDS = ("the build failed again after we moved parser tests into their own folder so please look at what changed in module "
         "config and why cache entries are stale when two workers write one file at once").split()
TOOLS = ("read_file", "list_dir", "run_tests", "search")
SCALE = 2.4      # of the texts of a long history: 2.6 MB in 5,000 messages


def turns(seed, rounds=None, scale=1.0):
    """The turns of one history: 3 to 12 questions unless told, up to 4 steps each, of 1 to 4 parallel calls."""
    draw = random.Random(seed)
    said = calls = 0
    out = []

    def text(kind, low, high):
        nonlocal said
        said += 1
        words = draw.choices(WORDS, k=max(1, int(draw.randint(low, high) * scale)))
        if kind == "result":    # tools answer in lines
            return f"{kind} {said}:\n" + "\n".join(" ".join(words[at:at + 9]) for at in range(0, len(words), 9))
        return f"{kind} {said}: {' '.join(words)}"

    rounds = rounds or draw.randint(3, 12)
    for number in range(rounds):
        out.append(("user", text("question", 5, 60)))
        last = number + 1 == rounds
        if last and draw.random() < 0.5:
            break
        for _ in range(draw.randint(1 if last else 0, 4)):
            step = []
            for _ in range(draw.choice((1, 1, 1, 2, 3, 4))):
                calls += 1
                path = "/".join(draw.choices(WORDS, k=3)) + ".py"
                # Results are heavy-tailed: most are short, few are long.
                long = min(600, int(10 * draw.paretovariate(1.1)))
                step.append((f"call_{seed}_{calls:05}", draw.choice(TOOLS), {"path": path, "line": draw.randint(1, 900)},
                             text("result", long, long)))
            out.append(("step", text("going on", 3, 20) if draw.random() < 0.4 else "", step))
        if not last:
            out.append(("answer", text("answer", 10, 120)))
    return out


def clean(count, seed=20261130):
    """`count` histories without a format."""
    return [turns(seed + i) for i in range(count)]


def long(messages, seed=7):
    """Turns of exactly `messages` OpenAI Chat messages, the system prompt included, about 520 bytes a message."""
    draw = random.Random(seed)
    out, size, number = [], 1, 0
    while size < messages:
        part = turns(seed + 1000 + number, rounds=2, scale=SCALE)
        number += 1
        if part[-1][0] != "answer":
            part.append(("answer", f"closing {number}"))
        for turn in part:
            width = 1 + (len(turn[2]) if turn[0] == "step" else 0)
            if size + width > messages - 1:
                break
            out.append(turn)
            size += width
        else:
            continue
        break
    while size < messages:      # what is left over is talk
        out.append(("answer" if out[-1][0] in ("user", "step") else "user", f"filling {size}: {draw.choice(WORDS)}"))
        size += 1
    return out


def last_question(history):
    """The text of the last user message."""
    return next(turn[1] for turn in reversed(history) if turn[0] == "user")


def written(history, format):
    """The messages of `history` in `format` and the request beside them."""
    return WRITERS[format](history)


def chat(history):
    out = [{"role": "system", "content": SYSTEM}]
    for turn in history:
        if turn[0] != "step":
            out.append({"role": "user" if turn[0] == "user" else "assistant", "content": turn[1]})
            continue
        out.append({"role": "assistant", "content": turn[1] or None, "tool_calls": [
            {"id": id, "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}
            for id, tool, arguments, _ in turn[2]]})
        out += [{"role": "tool", "tool_call_id": id, "content": result} for id, _, _, result in turn[2]]
    return out, {}


def responses(history):
    out = []
    for turn in history:
        if turn[0] == "user":
            out.append({"role": "user", "content": turn[1]})
            continue
        if turn[1]:
            out.append({"role": "assistant", "content": turn[1]})
        if turn[0] == "step":
            out += [{"type": "function_call", "call_id": id, "name": tool, "arguments": json.dumps(arguments)}
                    for id, tool, arguments, _ in turn[2]]
            out += [{"type": "function_call_output", "call_id": id, "output": result} for id, _, _, result in turn[2]]
    return out, {"instructions": SYSTEM}


def anthropic(history):
    out = []
    for turn in history:
        if turn[0] != "step":
            out.append({"role": "user" if turn[0] == "user" else "assistant", "content": [{"type": "text", "text": turn[1]}]})
            continue
        said = [{"type": "text", "text": turn[1]}] if turn[1] else []
        out.append({"role": "assistant", "content": said + [
            {"type": "tool_use", "id": id, "name": tool, "input": arguments} for id, tool, arguments, _ in turn[2]]})
        out.append({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": id, "content": result} for id, _, _, result in turn[2]]})
    return out, {"system": SYSTEM}


def gemini(history):
    out = []
    for turn in history:
        if turn[0] != "step":
            out.append({"role": "user" if turn[0] == "user" else "model", "parts": [{"text": turn[1]}]})
            continue
        said = [{"text": turn[1]}] if turn[1] else []
        out.append({"role": "model", "parts": said + [
            {"functionCall": {"name": tool, "args": arguments}} for _, tool, arguments, _ in turn[2]]})
        out.append({"role": "user", "parts": [
            {"functionResponse": {"name": tool, "response": {"output": result}}} for _, tool, _, result in turn[2]]})
    return out, {"systemInstruction": {"parts": [{"text": SYSTEM}]}}


def bedrock(history):
    out = []
    for turn in history:
        if turn[0] != "step":
            out.append({"role": "user" if turn[0] == "user" else "assistant", "content": [{"text": turn[1]}]})
            continue
        said = [{"text": turn[1]}] if turn[1] else []
        out.append({"role": "assistant", "content": said + [
            {"toolUse": {"toolUseId": id, "name": tool, "input": arguments}} for id, tool, arguments, _ in turn[2]]})
        out.append({"role": "user", "content": [
            {"toolResult": {"toolUseId": id, "content": [{"text": result}]}} for id, _, _, result in turn[2]]})
    tools = [{"toolSpec": {"name": tool, "inputSchema": {"json": {"type": "object"}}}} for tool in TOOLS]
    return out, {"system": [{"text": SYSTEM}], "toolConfig": {"tools": tools}}


WRITERS = {"openai_chat": chat, "openai_responses": responses, "anthropic": anthropic, "gemini": gemini, "bedrock": bedrock}

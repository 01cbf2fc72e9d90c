"""Libraries that shorten a chat history, each by the function it offers for that.

A peer is a class with `name`, `format`, `unit`, and

    size(messages)            how much they are, in the peer's own unit
    trim(messages, budget)    what is left, as messages of `format`; raises Refused where it says that it cannot

`same(messages)` is what becomes of them in the peer's own objects when nothing is cut: what differs from that was altered.
"""
import asyncio
import copy
import json
import logging
import os
import types

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"     # it would fetch prices
os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"

import haversack

logging.disable(logging.CRITICAL)


class Refused(Exception):
    """Nothing is delivered, and the reason is said."""


def compact(messages):
    return json.dumps(messages, ensure_ascii=False, separators=(",", ":"))


class Haversack:
    """`History.cut`, in tokens or messages."""

    def __init__(self, format, unit, counter="estimate"):
        self.name, self.format, self.unit, self.counter = "haversack", format, unit, counter

    def same(self, messages):
        return messages

    def size(self, messages):
        if self.unit == "messages":
            return len(messages)
        return haversack.count(compact(messages), self.counter)

    def trim(self, messages, budget):
        history = haversack.History(messages, format=self.format)
        options = {"keep_messages": budget} if self.unit == "messages" else {"keep_tokens": budget, "counter": self.counter}
        try:
            cut = history.cut(**options)
        except haversack.BudgetError as error:
            raise Refused(str(error)) from error
        if isinstance(cut, haversack.NothingToCut):
            if cut.reason == "fits":
                return messages
            raise Refused(cut.reason)
        return cut.messages


class LangChain:
    """`trim_messages` of langchain-core: as it comes, and as its documentation recommends for a chat history."""

    format = "openai_chat"

    def __init__(self, unit, recommended):
        self.name = "langchain-core, as recommended" if recommended else "langchain-core, defaults"
        self.unit = unit
        self.options = dict(strategy="last", include_system=True, start_on="human", end_on=("human", "tool")) if recommended else {}
        from langchain_core.messages import utils
        self.api = utils
        self.counter = len if unit == "messages" else "approximate"

    def same(self, messages):
        return self.api.convert_to_openai_messages(self.api.convert_to_messages(messages))

    def size(self, messages):
        own = self.api.convert_to_messages(messages)
        return len(own) if self.unit == "messages" else self.api.count_tokens_approximately(own)

    def trim(self, messages, budget):
        own = self.api.convert_to_messages(messages)
        left = self.api.trim_messages(own, max_tokens=budget, token_counter=self.counter, **self.options)
        return self.api.convert_to_openai_messages(left)


class LiteLLM:
    """`trim_messages` of litellm, with a limit and no model: it counts with its own default tokenizer."""

    name, format, unit = "litellm", "openai_chat", "tokens"

    def __init__(self):
        import litellm
        from litellm.utils import trim_messages
        litellm.suppress_debug_info = True
        self.count, self.cut = litellm.token_counter, trim_messages

    def same(self, messages):
        return messages

    def size(self, messages):
        return self.count(model="", messages=messages)

    def trim(self, messages, budget):
        return self.cut(messages, max_tokens=budget)


class AutoGen:
    """The model contexts of autogen-core. Its agents keep the system prompt beside the context."""

    format = "openai_chat"

    def __init__(self, unit):
        self.unit = unit
        self.name = "autogen-core, buffered" if unit == "messages" else "autogen-core, token limited"
        import autogen_core
        import autogen_core.model_context
        import autogen_core.models
        self.models, self.contexts, self.call = autogen_core.models, autogen_core.model_context, autogen_core.FunctionCall
        self.client = types.SimpleNamespace(count_tokens=lambda own, tools=(): self.own_size(own))

    def own(self, messages):
        out, names = [], {}
        for m in messages:
            calls = m.get("tool_calls")
            if m["role"] == "user":
                out.append(self.models.UserMessage(content=m["content"], source="user"))
            elif calls:
                names.update((c["id"], c["function"]["name"]) for c in calls)
                parts = [self.call(id=c["id"], **c["function"]) for c in calls]
                out.append(self.models.AssistantMessage(content=parts, thought=m["content"], source="assistant"))
            elif m["role"] == "assistant":
                out.append(self.models.AssistantMessage(content=m["content"], source="assistant"))
            elif m["role"] == "tool":
                id = m["tool_call_id"]
                result = self.models.FunctionExecutionResult(content=m["content"], name=names.get(id, ""), call_id=id)
                if out and isinstance(out[-1], self.models.FunctionExecutionResultMessage):
                    out[-1].content.append(result)
                else:
                    out.append(self.models.FunctionExecutionResultMessage(content=[result]))
        return out

    def back(self, own):
        out = []
        for m in own:
            if isinstance(m, self.models.UserMessage):
                out.append({"role": "user", "content": m.content})
            elif isinstance(m, self.models.FunctionExecutionResultMessage):
                out += [{"role": "tool", "tool_call_id": r.call_id, "content": r.content} for r in m.content]
            elif isinstance(m.content, str):
                out.append({"role": "assistant", "content": m.content})
            else:
                out.append({"role": "assistant", "content": m.thought, "tool_calls": [
                    {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}} for c in m.content]})
        return out

    def same(self, messages):
        return messages[:1] + self.back(self.own(messages))

    def own_size(self, own):
        """Four characters of the messages' own JSON are a token: the client of a host says how it counts."""
        return sum(len(m.model_dump_json()) for m in own) // 4

    def size(self, messages):
        own = self.own(messages)
        return len(own) if self.unit == "messages" else self.own_size(own)

    def trim(self, messages, budget):
        own = self.own(messages)
        if self.unit == "messages":
            context = self.contexts.BufferedChatCompletionContext(budget, own)
        else:
            context = self.contexts.TokenLimitedChatCompletionContext(self.client, token_limit=budget, initial_messages=own)
        return messages[:1] + self.back(asyncio.run(context.get_messages()))


class Ag2:
    """`SlidingWindowPolicy` of ag2, over its events. Its agents keep the prompt beside them."""

    name, format, unit = "ag2, sliding window", "openai_chat", "messages"

    def __init__(self):
        from ag2 import events
        from ag2.events import input_events, tool_events
        from ag2.policies.sliding_window import SlidingWindowPolicy
        self.events, self.inputs, self.tools, self.policy = events, input_events, tool_events, SlidingWindowPolicy

    def own(self, messages):
        out = []
        for m in messages:
            calls = m.get("tool_calls")
            if m["role"] == "user":
                out.append(self.events.ModelRequest([self.inputs.TextInput(m["content"])]))
            elif m["role"] == "assistant":
                said = self.events.ModelMessage(m["content"]) if m["content"] else None
                made = [self.tools.ToolCallEvent(c["function"]["name"], id=c["id"], arguments=c["function"]["arguments"])
                        for c in calls or ()]
                out.append(self.events.ModelResponse(said, tool_calls=self.tools.ToolCallsEvent(made)))
            elif m["role"] == "tool":
                result = self.tools.ToolResultEvent(
                    parent_id=m["tool_call_id"], result=self.tools.ToolResult(self.inputs.TextInput(m["content"])))
                if out and isinstance(out[-1], self.tools.ToolResultsEvent):
                    out[-1].results.append(result)
                else:
                    out.append(self.tools.ToolResultsEvent([result]))
        return out

    def back(self, own):
        out = []
        for e in own:
            if isinstance(e, self.events.ModelRequest):
                out.append({"role": "user", "content": e.parts[0].content})
            elif isinstance(e, self.tools.ToolResultsEvent):
                out += [{"role": "tool", "tool_call_id": r.parent_id, "content": r.result.parts[0].content} for r in e.results]
            else:
                message = {"role": "assistant", "content": e.message.content if e.message else None}
                if e.tool_calls.calls:
                    message["tool_calls"] = [{"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
                                             for c in e.tool_calls.calls]
                out.append(message)
        return out

    def same(self, messages):
        return messages[:1] + self.back(self.own(messages))

    def size(self, messages):
        return len(self.own(messages))

    def trim(self, messages, budget):
        _, left = asyncio.run(self.policy(budget).apply([], self.own(messages), None))
        return messages[:1] + self.back(left)


class LlamaIndex:
    """`ChatMemoryBuffer` of llama-index-core. Its agents keep the system prompt beside the memory; it counts contents alone."""

    name, format, unit = "llama-index-core, buffer", "openai_chat", "tokens"

    def __init__(self):
        from llama_index.core.base.llms.types import ChatMessage
        from llama_index.core.memory import ChatMemoryBuffer
        self.message, self.memory = ChatMessage, ChatMemoryBuffer

    def own(self, messages):
        return [self.message(role=m["role"], content=m["content"],
                             additional_kwargs={k: v for k, v in m.items() if k not in ("role", "content")}) for m in messages[1:]]

    def back(self, own):
        return [{"role": m.role.value, "content": m.content, **m.additional_kwargs} for m in own]

    def same(self, messages):
        return messages[:1] + self.back(self.own(messages))

    def tokens(self, text):
        """Four characters are a token: the host says how it counts."""
        return range(len(text) // 4)

    def size(self, messages):
        return len(self.tokens(" ".join(str(m.content) for m in self.own(messages))))

    def trim(self, messages, budget):
        memory = self.memory.from_defaults(self.own(messages), token_limit=budget, tokenizer_fn=self.tokens)
        return messages[:1] + self.back(memory.get())


class OpenAIAgents:
    """A session of openai-agents with a limit, prepared as its runner prepares it for the model."""

    name, format, unit = "openai-agents, session limit", "openai_responses", "messages"

    def __init__(self):
        from agents import SessionSettings, SQLiteSession
        from agents.run_internal.session_persistence import prepare_input_with_session
        self.settings, self.session, self.prepare = SessionSettings, SQLiteSession, prepare_input_with_session

    def same(self, messages):
        return messages

    def size(self, messages):
        return len(messages)

    def trim(self, messages, budget):
        return asyncio.run(self.run(messages, budget))

    async def run(self, messages, budget):
        session = self.session("bench")      # in memory
        try:
            await session.add_items(copy.deepcopy(messages))
            prepared, _ = await self.prepare([], session, None, self.settings(limit=budget))
            return prepared
        finally:
            session.close()


class Strands:
    """`SlidingWindowConversationManager` of strands-agents, which cuts messages of Bedrock Converse."""

    name, format, unit = "strands-agents, sliding window", "bedrock", "messages"

    def __init__(self):
        from strands.agent.conversation_manager import SlidingWindowConversationManager
        self.manager = SlidingWindowConversationManager

    def same(self, messages):
        return messages

    def size(self, messages):
        return len(messages)

    def trim(self, messages, budget):
        agent = types.SimpleNamespace(messages=copy.deepcopy(messages))
        self.manager(window_size=budget).apply_management(agent)
        return agent.messages


class Tail:
    """The last N messages behind the system prompt: what is written by hand."""

    name, format, unit = "messages[-n:] by hand", "openai_chat", "messages"

    def same(self, messages):
        return messages

    def size(self, messages):
        return len(messages)

    def trim(self, messages, budget):
        return messages[:1] + messages[1:][-(budget - 1):] if budget > 1 else messages[:1]


def all_peers():
    """haversack beside what takes the same format and unit; then haversack alone in the formats that no peer takes."""
    yield Haversack("openai_chat", "tokens")
    yield LangChain("tokens", recommended=True)
    yield LangChain("tokens", recommended=False)
    yield LiteLLM()
    yield AutoGen("tokens")
    yield LlamaIndex()
    yield Haversack("openai_chat", "messages")
    yield LangChain("messages", recommended=True)
    yield AutoGen("messages")
    yield Ag2()
    yield Tail()
    yield Haversack("openai_responses", "messages")
    yield OpenAIAgents()
    yield Haversack("bedrock", "messages")
    yield Strands()
    for format in ("openai_responses", "anthropic", "gemini", "bedrock"):
        yield Haversack(format, "tokens")

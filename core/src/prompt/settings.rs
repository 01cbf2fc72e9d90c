//! Which members of a request body a cache depends on, beside tools, system prompt and messages.

/// In the order in which they are pieces, and with it the order of what they invalidate: the model first, which no
/// cache survives. A member that is not here (sampling, limits, streaming, metadata) changes no cached prefix.
///
/// After the providers' documents on prompt caching as of 2026-08: Anthropic names model, speed, tool choice, thinking,
/// effort and the set of servers and skills; OpenAI the model, the tools, the schema of a structured output, reasoning
/// and the routing key; Gemini the cached content and the tool config; Bedrock the model and what it hands through.
pub(super) const SETTINGS: &[&str] = &[
    "model",
    "modelId",
    "cachedContent",
    "cached_content",
    "previous_response_id",
    "conversation",
    "prompt",
    "prompt_cache_key",
    "container",
    "mcp_servers",
    "additionalModelRequestFields",
    "anthropic_beta",
    "betas",
    "context_management",
    "speed",
    "reasoning",
    "reasoning_effort",
    "response_format",
    "text",
    "output_config",
    "output_format",
    "thinking",
    "tool_choice",
    "toolChoice",
    "toolConfig",
    "tool_config",
    "function_call",
    "parallel_tool_calls",
];

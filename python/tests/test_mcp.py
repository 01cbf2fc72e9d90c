"""Results of MCP tools are one payload."""

import json
from typing import Any

import haversack
import pytest

STRUCTURE = {"items": [{"id": i, "name": f"item {i}", "price": 1.5} for i in range(200)]}
TEXT = json.dumps(STRUCTURE, indent=1)


def result(*texts: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": t} for t in texts], **more}


def test_a_text_and_an_equal_structure_are_one() -> None:
    wanted = haversack.deliver(TEXT, chars=2_000)
    assert wanted.account.total == 200
    for given in (result(TEXT), result(TEXT, structuredContent=STRUCTURE), json.dumps(result(TEXT, structuredContent=STRUCTURE)),
                  json.dumps(result(TEXT, structuredContent=STRUCTURE)).encode()):
        assert haversack.deliver_mcp(given, chars=2_000) == wanted
    other_order = json.dumps(dict(reversed(STRUCTURE.items())), sort_keys=True)
    assert haversack.deliver_mcp(result(other_order, structuredContent=STRUCTURE), chars=2_000).account.total == 200


def test_what_differs_is_delivered_too() -> None:
    for text, structure in (("200 items", STRUCTURE), ("[1]", [True]), ("[1]", [1.0]), ("[1]", ["1"]), ("{", {})):
        d = haversack.deliver_mcp(result(text, structuredContent=structure), chars=100_000)
        assert json.loads(d.text)["structuredContent"] == structure and text in json.loads(d.text)["content"][0]["text"]
    assert haversack.deliver_mcp({"content": [], "structuredContent": STRUCTURE}, chars=100_000).text == json.dumps(
        STRUCTURE, separators=(",", ":")
    )


def test_several_texts_and_other_blocks() -> None:
    assert haversack.deliver_mcp(result("one", "two"), chars=100).text == "one\ntwo"
    assert haversack.deliver_mcp(result(), chars=100).text == haversack.deliver("", chars=100).text
    image = {"content": [{"type": "text", "text": "a picture"}, {"type": "image", "data": "iVBORw0KGgo" * 500, "mimeType": "image/png"}]}
    d = haversack.deliver_mcp(image, chars=400)
    assert "a picture" in d.text and "base64" in d.text and len(d.text) <= 400


def test_an_object_of_the_package() -> None:
    class CallToolResult:
        def model_dump(self, **options: Any) -> dict[str, Any]:
            assert options == {"by_alias": True, "exclude_none": True, "mode": "json"}
            return result(TEXT, structuredContent=STRUCTURE)

    assert haversack.deliver_mcp(CallToolResult(), chars=2_000) == haversack.deliver(TEXT, chars=2_000)


@pytest.mark.parametrize("given", [[], "text", b"\xff", {"content": "text"}, 3, None, "[" * 100_000], ids=lambda v: repr(v)[:20])
def test_what_is_no_result(given: Any) -> None:
    with pytest.raises(haversack.OptionsError) as caught:
        haversack.deliver_mcp(given, chars=100)
    assert caught.value.argument == "result"


def test_hostile_depth_is_an_answer() -> None:
    deep = "[" * 50_000
    assert haversack.deliver_mcp(result(deep, structuredContent={}), chars=1_000).size <= 1_000

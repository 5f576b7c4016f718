"""The OpenAPI document: valid, complete, and shown on a page that asks nobody else for anything."""

import re

import pytest
from fastapi.routing import APIRoute
from starlette.routing import Route

from engine import registry
from service.basics.errors import TABLE

pytestmark = [pytest.mark.anyio, pytest.mark.single]
METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture
async def document(house):
    return (await house.nobody.get("/api/openapi.json")).json()


def operations(document):
    return {
        (method, path) for path, item in document["paths"].items() for method in item if method in METHODS
    }


def routes(router):
    """Every route of the application, whatever it is nested in."""
    for route in router.routes:
        if isinstance(route, Route):
            yield route
        elif hasattr(route, "original_router"):
            yield from routes(route.original_router)


async def test_every_route_is_in_it(house, document):
    found = set()
    for route in routes(house.app.router):
        if isinstance(route, APIRoute) and not route.include_in_schema:
            continue
        found |= {(method.lower(), route.path) for method in route.methods if method.lower() in METHODS}
    hidden = {("get", f"/api/{name}") for name in ("openapi.json", "docs", "docs/page.js", "docs/page.css")}
    assert operations(document) == found - hidden


async def test_the_promised_paths_are_in_it(document):
    promised = """
        post /accounts|post /sessions|delete /sessions|get /me|patch /me|get /me/turns|get /me/tokens|
        post /me/tokens|delete /me/tokens/{token}|post /me/claim|post /me/name|get /games|get /games/{game}|
        post /matches|
        get /matches|get /matches/{match}|post /matches/{match}/seats/{seat}|
        delete /matches/{match}/seats/{seat}|post /matches/{match}/actions|get /matches/{match}/events|
        get /matches/{match}/stream|get /matches/{match}/log|post /import|post /matches/{match}/cancel|
        post /matches/{match}/undo|post /matches/{match}/rematch|post /matches/{match}/abandon
    """
    wanted = {tuple(one.split()) for one in promised.split("|")}
    assert {(method, f"/api{path}") for method, path in wanted} <= operations(document)
    at_the_root = {("get", "/health"), ("get", "/ready"), ("get", "/metrics")}
    assert {one for one in operations(document) if not one[1].startswith("/api/")} == at_the_root


def references(part):
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for value in part.values():
            yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


async def test_every_reference_leads_somewhere(document):
    for reference in references(document):
        place = document
        for step in reference.removeprefix("#/").split("/"):
            assert step in place, reference
            place = place[step]


async def test_it_has_what_the_standard_asks_for(document):
    assert document["openapi"].startswith("3.1")
    assert {"title", "version"} <= set(document["info"])
    ids = []
    for path, item in document["paths"].items():
        placeholders = set(re.findall(r"{(\w+)}", path))
        for method, operation in item.items():
            assert operation["responses"], (method, path)
            ids.append(operation["operationId"])
            given = {p["name"] for p in operation.get("parameters", ()) if p["in"] == "path"}
            assert given == placeholders, (method, path)
            assert all("description" in answer for answer in operation["responses"].values())
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[\w.-]+", name) for name in document["components"]["schemas"])


async def test_every_games_actions_are_in_it(document):
    schemas = document["components"]["schemas"]
    assert {ref["$ref"].rpartition("/")[2] for ref in schemas["Action"]["anyOf"]} == {
        f"{key}.action" for key in registry.GAMES
    }
    tides = str(schemas["tides-of-time.action"])
    assert "tides-of-time.Play" in tides
    assert schemas["tides-of-time.Play"]["properties"]["card"]["enum"]


async def test_the_match_answer_is_as_described(guest, document):
    match = await guest.open()
    assert set(match) == set(document["components"]["schemas"]["Match"]["required"])
    assert set(match["seats"][0]) == set(document["components"]["schemas"]["Seat"]["required"])


async def test_the_page_asks_nobody_else(house):
    page = await house.nobody.get("/api/docs")
    assert page.headers["content-type"].startswith("text/html")
    for address in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert address.startswith("/api/")
        assert (await house.nobody.get(address)).status_code == 200
    script = await house.nobody.get("/api/docs/page.js")
    assert "http" not in script.text
    assert "<script>" not in page.text
    assert "style=" not in page.text


@pytest.mark.parametrize("lang", ["en", "cs"])
async def test_the_type_of_a_refusal_leads_to_what_it_means(house, lang):
    headers = {"Accept-Language": lang}
    refusal = (await house.nobody.get("/api/matches/nowhere", headers=headers)).json()
    address, _, code = refusal["type"].partition("#")
    page = await house.nobody.get(address, headers=headers)
    assert page.headers["content-type"].startswith("text/html")
    assert f'<html lang="{lang}">' in page.text
    row = page.text.partition(f'<dt id="{code}">')[2].partition("</dd>")[0]
    assert refusal["detail"] in row
    assert page.text.count("<dt id=") == len(TABLE)


async def test_an_action_is_described_as_strictly_as_it_is_read(guest, document):
    """Handwritten, for its route reads bytes: whoever checks against it must not send what is refused."""
    described = document["paths"]["/api/matches/{match}/actions"]["post"]["requestBody"]["content"]
    schema = described["application/json"]["schema"]
    assert (set(schema["properties"]), schema["additionalProperties"]) == ({"seq", "action"}, False)
    match = await guest.open()
    body = {"seq": match["seq"], "action": match["legal"][0]}
    path = f"/api/matches/{match['id']}/actions"
    for missing in schema["required"]:
        assert (await guest.post(path, {k: v for k, v in body.items() if k != missing})).status_code == 400
    assert (await guest.post(path, {**body, "surplus": 1})).status_code == 400
    assert (await guest.post(path, body)).status_code == 200

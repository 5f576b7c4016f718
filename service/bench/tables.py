"""Who opens tables in benchmarks of a whole house."""

from service.bench.client import Client


async def opener(port: int, n: int) -> str:
    """The token of a new account with a password: only such may open tables of bots alone."""
    visitor = await Client.connect(port)
    named = {"name": f"bench {n}", "password": "a password of the bench"}
    token: str = (await visitor.json("POST", "/api/accounts", named))["token"]
    visitor.close()
    return token

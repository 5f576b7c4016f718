"""Damages one stored event in place, as a bad disk would: the frame holds, the bytes inside do not."""

from infra.store import keys


async def damage(deps, match, seq, change=lambda line: line.replace(b'"prev":"', b'"prev":"x', 1)):
    """Change the bytes of one event; returns all lines as they are stored now."""
    lines = await deps.store.read(match)
    lines[seq - 1] = change(lines[seq - 1])
    await deps.client.delete(keys.log(match))
    for number, line in enumerate(lines, 1):
        await deps.client.xadd(keys.log(match), {"e": line}, id=f"{number}-0")
    return lines

"""How lists are kept on many servers: a match is indexed in its shard, and under everybody who is in it."""

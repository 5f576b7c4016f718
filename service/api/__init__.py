"""The HTTP layer: thin routers, one error table, one gate in front of them."""

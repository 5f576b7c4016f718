"""`python -m service.cli` is `turnlog`."""

import sys

from service.cli import main

sys.exit(main())

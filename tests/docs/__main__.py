"""`make docs`: writes the tables of the documents from the code."""

from tests.docs.known import ROOT
from tests.docs.tables import write

for changed in write(ROOT) or ["nothing to do: all tables are as the code is"]:
    print(changed)

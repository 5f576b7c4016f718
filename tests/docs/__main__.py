"""`make docs`: writes the tables of the documents from the code."""

from tests.docs import views
from tests.docs.known import ROOT
from tests.docs.tables import write

for changed in [*write(ROOT), *views.write()] or ["nothing to do: all tables are as the code is"]:
    print(changed)

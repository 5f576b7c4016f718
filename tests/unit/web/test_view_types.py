"""What boards are told of their views is what the views are."""

from tests.docs.views import files


def test_the_types_of_views_are_as_the_code_is():
    found = dict(files())
    assert len(found) >= 5
    stale = [str(path) for path, text in found.items() if not path.exists() or path.read_text() != text]
    assert stale == [], "`make docs` writes them"

"""What the README and docs/games.md show runs."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", ["README.md", "docs/games.md"])
def test_the_examples_run_as_written(name, tmp_path):
    text = (ROOT / name).read_text()
    blocks = re.findall(r"```(python|pycon)\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 3
    file = tmp_path / "example.py"  # a file, so that the rules have a source
    scope = {}
    for kind, code in blocks:
        if kind == "python":
            file.write_text(code)
            exec(compile(code, str(file), "exec"), scope)
        else:
            parsed = doctest.DocTestParser().get_doctest(code, scope, name, str(ROOT / name), 0)
            runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
            runner.run(parsed, clear_globs=False)
            assert runner.failures == 0
            scope.update(parsed.globs)

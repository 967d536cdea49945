"""The README runs."""

import doctest
import re
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def test_the_readme_s_examples_run_as_written(tmp_path):
    text = README.read_text()
    blocks = re.findall(r"```(python|pycon)\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 3
    file = tmp_path / "readme.py"  # a file, so that the rules have a source
    scope = {}
    for kind, code in blocks:
        if kind == "python":
            file.write_text(code)
            exec(compile(code, str(file), "exec"), scope)
        else:
            parsed = doctest.DocTestParser().get_doctest(code, scope, "README", str(README), 0)
            runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
            runner.run(parsed, clear_globs=False)
            assert runner.failures == 0
            scope.update(parsed.globs)

import os
import sys

import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_follows_links(tmp_path):
    target = tmp_path / "target"
    target.write_text("here")
    os.symlink(target, tmp_path / "link")
    assert (tmp_path / "link").read_text() == "here"

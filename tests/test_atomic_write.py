"""Files are written completely or not at all."""

import os
import stat

import pytest

from outplay.atomic_write import atomic_file, write_text


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "file"
    write_text(path, "old")
    with pytest.raises(TypeError, match="bytes-like"), atomic_file(path) as file:
        file.write("a text")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    write_text(path, "old")
    link.symlink_to(path)
    write_text(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"


def test_a_file_has_the_usual_permissions(tmp_path):
    (tmp_path / "usual").write_text("")
    with atomic_file(tmp_path / "file") as file:
        file.write(b"")
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == stat.S_IMODE((tmp_path / "usual").stat().st_mode)


def test_a_synced_file_is_on_the_disk_before_it_is_renamed(tmp_path, monkeypatch):
    done = []
    monkeypatch.setattr(os, "fsync", lambda file: done.append((tmp_path / "file").exists()))
    with atomic_file(tmp_path / "file", synced=True) as file:
        file.write(b"new")
    assert done == [False, True]  # the file, then the folder that names it

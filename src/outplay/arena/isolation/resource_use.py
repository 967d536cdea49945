"""How much all processes of an agent use together. The kernel's own limits hold for each process alone."""

import os
from contextlib import suppress

from outplay.arena.isolation.confinement import MEGABYTE, Resources
from outplay.arena.isolation.process_tree import ProcessTree

MOST_FILES = 1000  # in the folder of an agent
OF_BUBBLEWRAP = 2  # processes


def excess(tree: ProcessTree, allowed: Resources, folder: str) -> str:
    """Return a clause that says what the processes of *tree* use too much of; "" if they use what is *allowed*."""
    if tree.memory() > allowed.memory_mb * MEGABYTE:
        return f"it takes more than {allowed.memory_mb:,} MB of memory"
    if tree.tasks() > allowed.tasks + OF_BUBBLEWRAP:
        return f"it has more than {allowed.tasks} threads and processes"
    files = size = 0
    if folder:
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                files += 1
                with suppress(OSError):
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
    if size > allowed.folder_mb * MEGABYTE or files > MOST_FILES:
        return f"it writes more than {allowed.folder_mb} MB or {MOST_FILES:,} files to its folder"
    return ""

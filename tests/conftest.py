"""What all tests share: the way to bench/, whose games they use too, no hurry, and Ctrl-C."""

import signal
import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent.parent))
settings.register_profile("no deadline", deadline=None)  # a busy machine is no mistake
settings.load_profile("no deadline")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell starts what runs in the background so, and its children inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

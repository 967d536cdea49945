"""What all tests share: the way to bench/, whose games they use too, and no hurry."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent.parent))
settings.register_profile("no deadline", deadline=None)  # a busy machine is no mistake
settings.load_profile("no deadline")

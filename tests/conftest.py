"""What all tests share: the way to bench/, whose games they use too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

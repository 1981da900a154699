"""What several test modules share."""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

# No test writes into the user's own cache.
os.environ["NARDY_CACHE"] = tempfile.mkdtemp(prefix="nardy-tests-")
atexit.register(shutil.rmtree, os.environ["NARDY_CACHE"], ignore_errors=True)

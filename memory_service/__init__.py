"""A Postgres-centric memory service for AI agents."""

import os

__version__ = "0.1.0"

# onnxruntime writes a device id into the user's cache folder and sends events to its maker. It reads this variable
# once, when it is imported; every module here that imports it imports this package first. Its own function
# disable_telemetry_events() comes too late: the files are there and requests are still sent (measured with 1.31).
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

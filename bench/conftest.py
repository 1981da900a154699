"""The conditions of a run, kept in the file that pytest-benchmark writes."""

import os

import pytest
from corpus import conditions


@pytest.hookimpl(optionalhook=True)
def pytest_benchmark_update_machine_info(config, machine_info):
    cores = os.process_cpu_count() if hasattr(os, "process_cpu_count") else os.cpu_count()
    load = "unknown" if not hasattr(os, "getloadavg") else f"{os.getloadavg()[0]:.2f}"
    machine_info["nardy"] = {
        **conditions(),
        "cores": cores,
        "load at the end": load,
        "arguments": list(config.invocation_params.args),
    }

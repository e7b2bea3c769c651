"""A cluster of two processes for the tests that need one: they share it, since it takes seconds to start."""

import os
from contextlib import contextmanager

import pytest
from distributed import LocalCluster

from pinchsim.lab.cluster_link import NO_DASHBOARD, _processes, _quiet
from pinchsim.lab.executor import chosen
from pinchsim.lab.experiment import make_experiment
from pinchsim.lab.run import run_experiment
from pinchsim.paths import shipped

SHIPPED = (shipped("strategies") / "pinch",)  # for games that have none of their own
GROUP = pytest.mark.xdist_group("cluster")  # all in one process of the test run


@contextmanager
def two_processes():
    with _quiet(), _processes(2) as cluster:
        yield cluster


@contextmanager
def nobody():
    """A scheduler without workers."""
    with _quiet(), LocalCluster(n_workers=0, threads_per_worker=1, scheduler_kwargs=NO_DASHBOARD, silence_logs=50) as cluster:
        yield cluster


def pids(cluster):
    """The processes of its workers."""
    return [nanny.pid for nanny in cluster.workers.values()]


def left_behind(cluster):
    """What a run has left with the scheduler."""
    return [name for name in cluster.scheduler.worker_plugins if "pinchsim" in name], [
        key for key in cluster.scheduler.tasks if "pinchsim" in str(key)
    ]


def play(folder, fields, executor=None, strategies=SHIPPED, watcher=None, jobs=None, cluster=None):
    """An experiment by an executor, or by so many threads or a cluster."""
    experiment = make_experiment(fields, "here")
    if executor is not None:
        return run_experiment(experiment, folder, executor, strategies, watcher)
    with chosen(jobs, cluster) as executor:
        return run_experiment(experiment, folder, executor, strategies, watcher)


def interrupt():
    """Ctrl-C."""
    os.kill(os.getpid(), 2)

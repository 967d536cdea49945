"""The tiers of isolation. `choose_isolation` tries which of them work on this machine."""

import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from outplay.arena.isolation.agent_process import AgentEnded, AgentLate, AgentProcess, Allowance
from outplay.arena.isolation.bubblewrap import find_bubblewrap
from outplay.arena.isolation.confinement import Confinement, Resources
from outplay.arena.isolation.landlock import landlock_abi
from outplay.arena.isolation.protocol import ProtocolError, message_of
from outplay.arena.isolation.warden import BOOT, ENVIRONMENT, PYTHON
from outplay.errors import OptionError

TIERS = ("W", "L", "none")  # the safest first
SYSTEM = (
    *("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/ssl/openssl.cnf"),
)
PROBING = Allowance(30.0, 1.0, 30.0)
PACKAGE = Path(__file__).parents[2]


@dataclass(frozen=True)
class Isolation:
    """How agents are kept apart: the `tier`, what every agent may read besides its own file, and how much it may take."""

    tier: str
    readable: tuple[str, ...] = ()
    resources: Resources = field(default_factory=Resources)

    def describe(self) -> str:
        """Return one line that says what the tier means."""
        allowed = self.resources
        if self.tier == "none":
            return "tier none: agents are processes that nothing confines; play only those that you trust"
        who = "a throwaway user, " if os.geteuid() == 0 else ""
        means = f"{who}resource limits ({allowed.memory_mb:,} MB of memory), Landlock and a seccomp filter"
        if self.tier == "L":
            return f"tier L: every agent is a process with {means}; no network, no file but its own"
        return (
            f"tier W: every agent is a process inside bubblewrap, with {means}; own namespaces, no network, no file but its own"
        )

    def order(
        self,
        kind: str,
        *,
        readable: Iterable[str] = (),
        own: Iterable[str] = (),
        programs: bool = False,
        environment: dict[str, str] | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """Return what the warden is told to start a process. One that may run *programs* may also start other processes.

        What is *readable* and the agent's *own* is not followed where it is a link.
        """
        paths = sorted({path for path in (*SYSTEM, *python_folders(), *self.readable, *readable) if os.path.exists(path)})
        what = Confinement(
            readable=tuple(paths) if self.tier != "none" else (),
            folder="",
            own=tuple(own) if self.tier != "none" else (),
            processes=programs or self.tier == "none",
            programs=programs,
            resources=self.resources,
        )
        return {
            "tier": self.tier,
            "kind": kind,
            "confinement": asdict(what),
            "python": list(PYTHON),
            "boot": BOOT,
            "environment": {**ENVIRONMENT, **(environment or {})},
            **more,
        }


@cache
def python_folders() -> tuple[str, ...]:
    """Return the folders of this Python, of what is installed in it, and of Outplay."""
    found = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    for prefix in {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}:
        # Not all of it: agents may lie in a folder that is also a virtual environment.
        found |= {os.path.join(prefix, name) for name in ("bin", "lib", "lib64", "share", "pyvenv.cfg")}
    found |= {path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")}
    return tuple(sorted(os.path.abspath(path) for path in (*found, str(PACKAGE)) if os.path.exists(path)))


def choose_isolation(
    tier: str | None = None,
    *,
    untrusted: bool = False,
    readable: Iterable[str] = (),
    resources: Resources | None = None,
) -> Isolation:
    """Return the isolation of *tier*, "W", "L" or "none"; by default the safest that works here.

    A test process tries each tier. An OptionError is raised if the named *tier* does not work, or if agents are *untrusted* and no
    tier works.
    Agents may read what is *readable* besides their own file.
    """
    if tier is not None and tier not in TIERS:
        raise OptionError(f"there is no tier {tier!r} of isolation; there are {', '.join(TIERS)}")
    if tier == "none" and untrusted:
        raise OptionError(
            "untrusted agents need a tier of isolation, and tier none has none; choose tier L or W, or leave it out"
        )
    reasons = []
    for candidate in TIERS if tier is None else (tier,):
        if candidate == "none":
            if tier is None and untrusted:
                break
            return Isolation("none", tuple(readable), resources or Resources())
        reason = problem(candidate)
        if reason is None:
            return Isolation(candidate, tuple(map(os.path.abspath, readable)), resources or Resources())
        reasons.append(f"tier {candidate}: {reason}")
    what = "untrusted agents cannot be isolated here" if untrusted else f"tier {tier} of isolation does not work here"
    raise OptionError(
        f"{what} ({'; '.join(reasons)}); use Linux 5.13 or later with Landlock, install bubblewrap for tier W "
        "(apt-get install bubblewrap), or play only agents that you trust, with tier none"
    )


@cache
def problem(tier: str) -> str | None:
    """Return why *tier* does not work here; None if it works. A process in this tier tries what it must not be able to do."""
    if sys.platform != "linux":
        return f"it needs Linux, and this is {sys.platform}"
    if landlock_abi() < 1:
        return "this kernel has no Landlock"
    if os.uname().machine not in ("x86_64", "aarch64"):
        return f"no seccomp filter is known for {os.uname().machine}"
    if tier == "W" and find_bubblewrap() is None:
        return "bubblewrap (bwrap) is not installed"
    folder = tempfile.mkdtemp(prefix="outplay-probe-")
    canary = Path(folder) / "canary"
    try:
        canary.write_text("a file that no agent may read")
        os.chmod(folder, 0o777)
        os.chmod(canary, 0o666)
        return _probed(Isolation(tier), str(canary))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _probed(isolation: Isolation, canary: str) -> str | None:
    process = AgentProcess(isolation.order("probe", canary=canary))
    try:
        line, _ = process.ask(b"\n", PROBING)
        done = [name for name, succeeded in message_of(line).items() if succeeded]
    except (AgentEnded, AgentLate, ProtocolError) as error:
        return f"a process in it {error}: {process.errors() or 'it says nothing'}"
    finally:
        with suppress(OSError):
            process.kill()
    return f"a process in it could still {', '.join(done)}" if done else None

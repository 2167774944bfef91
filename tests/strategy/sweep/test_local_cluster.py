"""A Dask cluster on this machine: nobody else, on the same machine, can make it run anything."""

import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from strategy.errors import OutputError
from strategy.sweep.runners import DaskPlace, by_dask
from tests.support import PLAIN

distributed = pytest.importorskip("distributed")
pytest.importorskip("cryptography")
psutil = pytest.importorskip("psutil")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(PLAIN, reason="nothing of it is compiled")]

#: What another user does at a port, who is root no more if they were: speak to it by each protocol,
#: with no certificate and with one of their own, and ask it for a page. Prints what was answered.
ATTACK = """
import asyncio, http.client, logging, os, sys
import dask, distributed
from distributed.core import rpc
logging.disable(logging.CRITICAL)
dask.config.set({"distributed.comm.timeouts.connect": 3})
own = distributed.Security.temporary().get_connection_args("client")
if os.geteuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)

async def asked(address, how):
    async with rpc(address, connection_args=how) as one:
        return await asyncio.wait_for(one.identity(), 3)

async def attacked(port, scheme, how):
    try:
        print("ANSWERED", port, scheme, await asked(f"{scheme}://127.0.0.1:{port}", how))
    except BaseException as error:
        print("refused", port, scheme, type(error).__name__)

async def attack(ports):
    ways = (("tcp", None), ("tls", None), ("tls", own))
    await asyncio.gather(*(attacked(port, *way) for port in ports for way in ways))

asyncio.run(attack(sys.argv[1:]))
for port in sys.argv[1:]:
    for page in ("", "status", "health", "info/main/workers.html", "json/counts.json", "metrics"):
        line = http.client.HTTPConnection("127.0.0.1", int(port), timeout=1)
        try:
            line.request("GET", "/" + page)
            code = line.getresponse().status
            print("SERVED" if code == 200 else "refused", port, page, code)
        except Exception as error:
            print("refused", port, page, type(error).__name__)
            break
"""


def as_another(ports: Iterable[int]) -> str:
    """What another user of this machine can do at ports, if we may become one."""
    command = [sys.executable, "-c", ATTACK, *map(str, sorted(ports))]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=True)
    return done.stdout


def listening() -> dict[int, str]:
    """The ports on which this process and those below it listen, with their addresses."""
    me = psutil.Process()
    open_ = [
        line for process in (me, *me.children(recursive=True)) for line in process.net_connections()
    ]
    return {x.laddr.port: x.laddr.ip for x in open_ if x.status == psutil.CONN_LISTEN}


def test_no_other_user_can_use_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = set(listening())
    with by_dask(DaskPlace("local:1")) as runner:
        assert sorted(runner.run(pow, 3, [2, 4])) == [9, 81]
        ports = {port: ip for port, ip in listening().items() if port not in before}
        assert len(ports) >= 3 and set(ports.values()) == {"127.0.0.1"}
        said = as_another(ports)
        assert said.count("refused") >= 4 * len(ports) and "ANSWERED" not in said
        assert "SERVED" not in said
        (folder,) = tmp_path.iterdir()  # nothing of the cluster lies beside its own folder
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()


def test_links_that_others_planted_for_dask_are_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ours = tmp_path / "ours"
    ours.write_text("precious")
    planted = tmp_path / "dask-scratch-space"
    planted.mkdir()
    for name in ("global.lock", "purge.lock"):
        (planted / name).symlink_to(ours)
    with by_dask(DaskPlace("local:1")) as runner:
        assert list(runner.run(pow, 3, [2])) == [9]
    assert ours.read_text() == "precious"


def test_the_attack_succeeds_where_nothing_protects() -> None:
    before = set(listening())
    with distributed.LocalCluster(
        n_workers=1, processes=False, protocol="tcp://", host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    ):  # fmt: skip
        said = as_another(port for port in listening() if port not in before)
    assert "ANSWERED" in said and "SERVED" in said


def test_without_what_makes_certificates_there_is_no_local_cluster(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with (
        pytest.raises(OutputError, match="needs the package cryptography"),
        by_dask(DaskPlace("local:1")),
    ):
        raise AssertionError

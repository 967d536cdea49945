"""Private interfaces of Numba, uvicorn and Typer: each is used in one module, and a new version that lacks one is told by name."""

import ast
import importlib
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"

# Of each library: the modules that are public, and the one of ours that may import the others.
LIBRARIES = {
    "numba": ({"numba", "numba.extending"}, "outplay/compile/numba_private.py"),
    "llvmlite": ({"llvmlite", "llvmlite.ir", "llvmlite.binding"}, "outplay/compile/numba_private.py"),
    "uvicorn": ({"uvicorn"}, "outplay/web/connections.py"),
    "typer": ({"typer"}, "outplay/cli/help.py"),
}

# Attributes that our modules use of a class or an object: where it is, its private attributes, and who needs them.
ATTRIBUTES = [
    ("numba.core.compiler:CompileResult", ("_rebuild", "_reduce"), "outplay/compile/numba_private.py"),
    ("numba.core.codegen:RuntimeLinker", ("PREFIX",), "outplay/compile/numba_private.py"),
    ("numba.core.registry:cpu_target", ("target_context",), "outplay/compile/numba_private.py"),
    (
        "numba.core:ssa",
        (
            "_CacheListVars",
            "_FixSSAVars",
            "_compute_phi_locations",
            "_find_defs_violators",
            "_fresh_vars",
            "_get_scope",
            "_iterated_domfronts",
            "_run_block_rewrite",
        ),
        "outplay/compile/kernel_compiler.py",
    ),
    ("numba.core.types.functions:BaseFunction", ("get_call_type",), "outplay/compile/numba_patches.py"),
    ("numba.core.targetconfig:TargetConfig", ("options", "values"), "outplay/compile/numba_patches.py"),
    ("numba.core.postproc:PostProcessor", ("run",), "outplay/compile/numba_patches.py"),
    ("numba.core:analysis", ("compute_live_map",), "outplay/compile/numba_patches.py"),
    ("numba.core.ir:Inst", ("_rec_list_vars", "list_vars"), "outplay/compile/numba_patches.py"),
    ("numba.core:ir_utils", ("find_potential_aliases",), "outplay/compile/numba_patches.py"),
    ("numba.core:transforms", ("canonicalize_cfg",), "outplay/compile/numba_patches.py"),
    ("numba.core.typing.npydecl:NumpyRulesInplaceArrayOperator", ("generic",), "outplay/compile/numba_patches.py"),
    ("numba.core.untyped_passes:ReconstructSSA", ("_patch_locals",), "outplay/compile/kernel_compiler.py"),
    (
        "numba.core.callconv:CPUCallConv",
        ("_get_excinfo_argument", "_return_errcode_raw", "build_excinfo_struct", "return_user_exc"),
        "outplay/compile/placed_exceptions.py",
    ),
    (
        "numba.core.lowering:Lower",
        ("lower_assign", "lower_binop", "lower_expr", "lower_function_body", "lower_inst", "loadvar", "typeof"),
        "outplay/compile/guarded_lowering.py",
    ),
    ("llvmlite.binding.ffi:lib", ("_lock",), "outplay/compile/numba_private.py"),
    ("uvicorn:Server", ("handle_exit", "shutdown"), "outplay/web/server.py"),
    ("uvicorn.protocols.http.h11_impl:H11Protocol", ("connection_made", "connection_lost"), "outplay/web/connections.py"),
    (
        "uvicorn.protocols.websockets.websockets_sansio_impl:WebSocketsSansIOProtocol",
        ("connection_made", "data_received", "handle_ping", "handle_pong", "handle_cont", "run_asgi"),
        "outplay/web/connections.py",
    ),
]


def private_imports(source: str) -> list[tuple[str, str]]:
    """Return the module and the name of each private import in *source*, of the libraries above."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            modules = [(node.module, name.name) for name in node.names]
        elif isinstance(node, ast.Import):
            modules = [(name.name, "") for name in node.names]
        else:
            continue
        for module, name in modules:
            public, _ = LIBRARIES.get(module.partition(".")[0], ({module}, ""))
            if module not in public:
                found.append((module, name))
    return found


def missing(module: str, name: str, needed_by: str) -> str | None:
    """Return a sentence that names what is missing, or None if it is there."""
    library = module.partition(".")[0]
    try:
        found = importlib.import_module(module)
        if not name or hasattr(found, name):
            return None
        importlib.import_module(f"{module}.{name}")
    except ImportError:
        return f"{library} {version(library)} has no {module}.{name}, which {needed_by} needs"
    return None


@pytest.mark.parametrize("file", sorted({file for _, file in LIBRARIES.values()}))
def test_each_private_name_that_a_module_imports_is_there(file):
    imports = private_imports((SOURCE / file).read_text())
    assert imports
    assert [told for module, name in imports if (told := missing(module, name, file))] == []


@pytest.mark.parametrize(("place", "names", "file"), ATTRIBUTES, ids=lambda value: value if isinstance(value, str) else "")
def test_each_private_attribute_is_there(place, names, file):
    module, _, name = place.partition(":")
    found = getattr(importlib.import_module(module), name)
    assert [f"{place} has no {name}, which {file} needs" for name in names if not hasattr(found, name)] == []


def test_a_private_name_that_is_missing_is_named_with_the_module_that_needs_it():
    told = missing("numba.core.caching", "NoSuchCache", "outplay/compile/numba_private.py")
    assert told == f"numba {version('numba')} has no numba.core.caching.NoSuchCache, which outplay/compile/numba_private.py needs"
    assert (
        missing("numba.no_such_module", "name", "a.py")
        == f"numba {version('numba')} has no numba.no_such_module.name, which a.py needs"
    )


def test_no_other_module_uses_a_private_interface():
    wrong = []
    for file in SOURCE.rglob("*.py"):
        path = file.relative_to(SOURCE).as_posix()
        for module, name in private_imports(file.read_text()):
            if LIBRARIES[module.partition(".")[0]][1] != path:
                wrong.append(f"{path} imports {module}.{name}")
    assert wrong == []


def test_a_library_whose_private_interfaces_are_used_has_an_upper_bound():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["web"]
    bounded = {need.split(">")[0] for need in wanted if "<" in need}
    assert set(LIBRARIES) - {"llvmlite"} <= bounded  # Numba pins llvmlite

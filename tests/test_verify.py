"""A table held against the rules: a true one passes, and whatever is wrong with one is found and named."""

import hashlib
import json
import random
import zlib
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from test_graph import random_nodes, solved

from outplay import CHANCE, OVER, Game, load
from outplay.errors import TableError
from outplay.games.pig import HOLD, ROLL
from outplay.solve.certificate.verify import examine, verify
from outplay.solve.solution import Solution
from outplay.solve.solve import solve
from outplay.solve.tables.file import BLOCK, FIXED, MAGIC


class Place(NamedTuple):
    """Where a walk on a graph stands."""

    node: int


def walk(nodes, **changes):
    """Return the game on *nodes* (see `test_graph.graph_of`): a move or an outcome is the number of an edge."""
    edges = [edge if node[0] == CHANCE else (edge, 0.0) for node in nodes if isinstance(node, tuple) for edge in node[1]]
    children, probabilities = tuple(child for child, _ in edges), tuple(float(probability) for _, probability in edges)
    counts = [len(node[1]) if isinstance(node, tuple) else 0 for node in nodes]
    first = (0, *np.cumsum(counts).tolist())
    who = tuple(node[0] if isinstance(node, tuple) else OVER for node in nodes)
    scores = tuple(0.0 if isinstance(node, tuple) else float(node) for node in nodes)

    def turn(state):
        return who[state.node]

    def moves(state):
        for edge in range(first[state.node], first[state.node + 1]):
            yield edge

    def chances(state):
        for edge in range(first[state.node], first[state.node + 1]):
            yield edge, probabilities[edge]

    def play(state, choice):
        return Place(children[choice])

    def score(state):
        return scores[state.node]

    rules = {"name": "walk", "start": Place(0), "turn": turn, "moves": moves, "play": play, "score": score}
    return Game(**{**rules, "chances": chances if CHANCE in who else None, "low": -2, "high": 2, **changes})


ROUND = [(0, [1, 4]), (1, [2]), (0, [3, 1]), (1, [0, 5]), (1, [1]), 1]  # player 1 need not let player 0 win
LONG = [(0, [1]), (1, [0, 2]), (0, [3]), (1, [4]), (0, [5, 2]), 1]  # nor here, but at 2 player 0 wins in three moves
LOOPS = [(0, [1, 3]), (CHANCE, [(0, 0.5), (2, 0.5)]), (0, [1]), 1, (1, [0])]  # player 0 may go round, or win
COINS = [(0, [1]), (CHANCE, [(4, 0.5), (2, 0.5)]), (1, [3]), (CHANCE, [(5, 0.5), (0, 0.5)]), 1, -1]  # heads first wins


def solved_walk(nodes, **options):
    return solve(walk(nodes), compiled=False, threads=1, **options)


def with_rows(solution, depth=0, **changes):
    """Return *solution* with other keys or codes in one part of its table."""
    rows = list(solution.table.rows)
    rows[depth] = replace(rows[depth], **changes)
    return replace(solution, table=replace(solution.table, rows=tuple(rows)))


def with_entry(solution, node, value, distance=None):
    """Return the solution of a walk in whose table *node* has another entry."""
    scale, rows = solution.table.scale, solution.table.rows[0]
    key = solution.table.packing.key([node])
    codes = rows.codes.copy()
    distances = np.array([-1 if distance is None else distance])
    codes[rows.keys == key] = scale.codes(np.array([float(value)]), distances)
    return with_rows(solution, codes=codes)


def plain_examine(solution):
    return examine(solution, threads=1, compiled=False)


# True tables.


@pytest.mark.parametrize("name", ["tic-tac-toe", "coin-tic-tac-toe", "connect-four:columns=4,rows=4"])
def test_a_true_table_passes(name, tmp_path):
    game, path = load(name), tmp_path / "table"
    solution = solve(game, file=path)
    found = verify(path, game)
    assert found
    assert (found.states, found.count, found.wrong) == (solution.states, 0, ())
    assert f"all {solution.states:,} states follow from the rules" in found.explain()


def test_the_game_is_found_by_the_name_in_the_file(tmp_path):
    solve(load("tic-tac-toe"), file=tmp_path / "table")
    assert verify(tmp_path / "table").game == "tic-tac-toe"


def test_a_file_of_a_game_with_parameters_names_them(tmp_path):
    solve(load("connect-four:columns=4,rows=4"), file=tmp_path / "table")
    assert verify(tmp_path / "table").game == "connect-four 4x4, 4 in line"


def test_a_file_of_a_user_s_game_asks_for_it(tmp_path):
    solve(load("tic-tac-toe").replace(name="mine"), file=tmp_path / "table")
    with pytest.raises(TableError, match="is a table of 'mine', which is not built in; say where it is"):
        verify(tmp_path / "table")


def test_tables_of_random_graphs_are_right_and_pass():
    dice = random.Random(1)
    methods = set()
    for _ in range(150):
        nodes = random_nodes(dice, cycles=dice.random() < 0.8, chance=dice.random() < 0.5, size=12)
        endless = dice.choice((0, 0.5, -1))
        solution = solved_walk(nodes, endless=endless)
        assert solution.value == pytest.approx(solved(nodes, endless=endless).values[0], abs=1e-9), nodes
        assert plain_examine(solution), nodes
        methods.add((solution.method, solution.error > 0))
    assert methods == {("table", False), ("cycles", False), ("cycles", True)}


@pytest.mark.parametrize("nodes", [LONG, COINS])
def test_compiled_and_interpreted_say_the_same(nodes):
    solution = solve(walk(nodes), threads=1)
    wrong = with_entry(solution, 1, 1, 3)
    for held in (solution, wrong):
        fast, slow = examine(held), plain_examine(held)
        assert (fast.count, fast.wrong) == (slow.count, slow.wrong)
    assert not fast


def test_pig_by_its_rules_is_won_as_often_as_is_known(tmp_path):
    goal, game = 20, load("pig:goal=20")

    def moves(state):  # who can win by holding does: pots are bounded then, and so are the states
        if (state.first if state.player == 0 else state.second) + state.pot < goal:
            yield ROLL
        if state.pot > 0:
            yield HOLD

    game = game.replace(moves=moves)
    solution = solve(game, file=tmp_path / "table")
    assert (1 + solution.value) / 2 == pytest.approx(0.615558549805, abs=1e-10)  # shared/data/known_values.csv
    found = verify(tmp_path / "table", game)
    assert found
    assert found.error == solution.error < 1e-9
    assert "states follow from the rules, to within" in found.explain()


# Wrong entries, found by the rules alone.


def test_every_changed_entry_of_tic_tac_toe_is_found():
    solution = solve(load("tic-tac-toe"))
    dice = random.Random(2)
    for _ in range(60):
        depth = dice.choices(range(len(solution.counts)), solution.counts)[0]
        codes = solution.table.rows[depth].codes.copy()
        place = dice.randrange(len(codes))
        codes[place] ^= 1 << dice.randrange(8 * codes.itemsize)
        assert not examine(with_rows(solution, depth, codes=codes)), (depth, place)


def test_a_wrong_value_is_named_in_the_game_s_words():
    solution = solve(load("tic-tac-toe"))
    scale, rows = solution.table.scale, solution.table.rows[0]
    codes = scale.codes(np.array([1.0]), np.array([5]))
    found = examine(with_rows(solution, 0, codes=codes))
    state = solution.game.write_state(solution.state)
    assert len(rows.keys) == 1
    assert found.count == 1
    assert found.wrong[0].state == state
    assert "its value does not follow from those of its children: it says 1 in 5, and leads to 0, 0" in found.explain()
    assert "1 entries of 5,478 are wrong" in found.explain()
    assert "do not use this table" in found.explain()


def test_a_wrong_score_is_found():
    assert "another value than the score" in plain_examine(with_entry(solved_walk(ROUND), 5, 0)).explain()


@pytest.mark.parametrize("distance", [1, 2])
def test_a_wrong_distance_in_a_cycle_is_found(distance):
    solution = solved_walk(LONG)
    assert solution.method == "cycles"
    assert plain_examine(solution)
    state = Place(2)
    assert solution[state].distance == 3
    found = plain_examine(with_entry(solution, 2, 1, distance))
    assert not found
    assert "its distance to the end does not follow" in found.explain()


def test_a_draw_with_a_distance_is_found():
    solution = solved_walk(LONG)
    codes = solution.table.rows[0].codes.copy()
    codes[solution.table.rows[0].keys == solution.table.packing.key([0])] += 1
    assert "its distance to the end does not follow" in plain_examine(with_rows(solution, codes=codes)).explain()


def test_states_of_a_cycle_that_bear_each_other_out_are_found():
    #  0 and 1 can go round for ever; both say that player 0 wins, each because the other does.
    solution = solved_walk(LONG)
    assert solution.value == 0
    for first, second in ((1, 2), (2, 1), (2, 2)):
        assert not plain_examine(with_entry(with_entry(solution, 0, 1, first), 1, 1, second))


def test_states_of_a_cycle_with_chance_that_bear_each_other_out_are_found():
    nodes = [(0, [1]), (CHANCE, [(0, 0.5), (2, 0.5)]), (0, [1, 3]), -1]
    solution = solved_walk(nodes)
    assert solution.value == 0
    wrong = solution
    for node in range(3):
        wrong = with_entry(wrong, node, 0.5)
    found = plain_examine(wrong)
    assert found.count == 3
    assert "better than play without end, and no way leads to what it promises" in found.explain()


def test_a_table_that_denies_that_play_may_go_on_is_found():
    solution = solved_walk(LOOPS)
    assert not solution.proper
    assert "play can go on for ever" in plain_examine(replace(solution, proper=True)).explain()
    even = solved_walk([(0, [1]), (CHANCE, [(0, 0.5), (2, 0.5)]), 0])
    assert (even.method, even.error) == ("cycles", 0)
    assert "states can come back" in plain_examine(replace(even, method="table")).explain()


def test_a_state_that_is_missing_or_too_many_is_found():
    solution = solved_walk(ROUND)
    rows = solution.table.rows[0]
    kept = rows.keys != solution.table.packing.key([5])
    found = plain_examine(with_rows(solution, keys=rows.keys[kept], codes=rows.codes[kept]))
    assert "a move leads to a state that is not in the table" in found.explain()
    assert "the counts by depth say 6 states, and the table holds 5" in found.explain()
    more = replace(solution, game=walk([(0, [1]), (1, [2]), (0, [3, 1]), (1, [0, 5]), (1, [1]), 1]))
    assert "no move leads to it" in plain_examine(more).explain()


def test_a_root_that_is_missing_is_found():
    solution = replace(solved_walk(ROUND), state=Place(77))
    assert "Place(node=77), is not in the table" in plain_examine(solution).explain()


def test_keys_out_of_order_are_found():
    solution = solved_walk(ROUND)
    rows = solution.table.rows[0]
    found = plain_examine(with_rows(solution, keys=rows.keys[::-1].copy(), codes=rows.codes[::-1].copy()))
    assert "do not stand in order" in found.explain()


@pytest.mark.parametrize(
    ("rule", "function", "why"),
    [
        ("score", lambda state: 7, "its score does not lie between low and high"),
        ("turn", lambda state: 5, "turn returns none of 0, 1, CHANCE and OVER"),
        ("moves", lambda state: iter(()), "moves yields nothing"),
        ("play", lambda state, choice: Place(1 << 40), "a move leads to a state that is not in the table"),
    ],
)
def test_rules_at_fault_are_named(rule, function, why):
    solution = solved_walk(ROUND)
    assert why in plain_examine(replace(solution, game=solution.game.replace(**{rule: function}))).explain()


def test_probabilities_at_fault_are_named():
    solution = solved_walk(COINS)
    found = plain_examine(replace(solution, game=solution.game.replace(chances=lambda state: iter([(0, 0.5)]))))
    assert "its probabilities do not sum to 1" in found.explain()


# Files.


@pytest.fixture
def table(tmp_path):
    """A file with the table of tic-tac-toe."""
    solve(load("tic-tac-toe"), file=tmp_path / "table")
    return tmp_path / "table"


def repaired(data):
    """Return the bytes of a table's file with checksums that fit what it now holds."""
    _, header_size, data_at, size, _ = FIXED.unpack(data[: FIXED.size])
    header = data[FIXED.size : FIXED.size + header_size]
    checksums = [zlib.crc32(data[start : start + BLOCK]) for start in range(data_at, size, BLOCK)]
    rest = header + np.array(checksums, "<u4").tobytes()
    rest += bytes(data_at - FIXED.size - len(rest))
    digest = hashlib.sha256(FIXED.pack(MAGIC, header_size, data_at, size, bytes(32)) + rest).digest()
    return FIXED.pack(MAGIC, header_size, data_at, size, digest) + rest + data[data_at:]


def header_of(data):
    _, header_size, data_at, _, _ = FIXED.unpack(data[: FIXED.size])
    return json.loads(data[FIXED.size : FIXED.size + header_size]), data_at


def test_one_changed_byte_anywhere_is_found(table):
    whole = table.read_bytes()
    dice = random.Random(3)
    places = [0, 20, 40, 100, *(dice.randrange(len(whole)) for _ in range(40))]
    for place in places:
        data = bytearray(whole)
        data[place] ^= 1 << dice.randrange(8)
        table.write_bytes(data)
        with pytest.raises(TableError):
            verify(table, load("tic-tac-toe"))


def test_one_changed_byte_is_found_by_the_rules_even_if_checksums_fit(table):
    whole = table.read_bytes()
    header, data_at = header_of(whole)
    assert repaired(whole) == whole
    dice = random.Random(4)
    for section in header["sections"].values():
        size = section["states"] * np.dtype(section["type"]).itemsize
        for _ in range(8):
            data = bytearray(whole)
            data[data_at + section["offset"] + dice.randrange(8, size)] ^= 1 << dice.randrange(8)
            table.write_bytes(repaired(bytes(data)))
            found = verify(table, load("tic-tac-toe"))
            assert not found
            assert str(found.wrong[0]) in found.explain()


def with_header(data, **changes):
    """Return the bytes of a table's file with another header, as long as the old one, and checksums that fit."""
    header, _ = header_of(data)
    text = json.dumps(header | changes, sort_keys=True).encode()
    header_size = FIXED.unpack(data[: FIXED.size])[1]
    assert len(text) <= header_size
    return repaired(data[: FIXED.size] + text.ljust(header_size) + data[FIXED.size + header_size :])


def test_a_header_that_says_something_else_is_found(table):
    data = table.read_bytes()
    header, _ = header_of(data)
    table.write_bytes(with_header(data, counts=[*header["counts"][:-1], 77]))
    assert "the counts by depth say 5,477 states, and the table holds 5,478" in verify(table, load("tic-tac-toe")).explain()
    rows = [*header["rows"][:-1], header["rows"][-1] | {"any": 0}]
    table.write_bytes(with_header(data, rows=rows))
    assert "they would not be found" in verify(table, load("tic-tac-toe")).explain()
    table.write_bytes(with_header(data, scores=[-1.0, 0.0, 0.5]))
    assert "another value than the score" in verify(table, load("tic-tac-toe")).explain()


@pytest.mark.parametrize("section", ["keys", "codes"])
def test_a_root_that_is_not_there_is_refused(table, section):
    data = bytearray(table.read_bytes())
    header, data_at = header_of(data)
    data[data_at + header["sections"][section]["offset"]] ^= 0xFF
    table.write_bytes(repaired(bytes(data)))
    with pytest.raises(TableError, match="has no value for the state"):
        verify(table, load("tic-tac-toe"))


def test_a_truncated_file_is_refused(table):
    data = table.read_bytes()
    for size in (0, 10, 100, len(data) // 2, len(data) - 1):
        table.write_bytes(data[:size])
        with pytest.raises(TableError):
            verify(table, load("tic-tac-toe"))


def test_a_changed_rule_is_refused(table):
    game = load("tic-tac-toe")
    other = game.replace(score=lambda state: 1)
    with pytest.raises(TableError, match="the rules of 'tic-tac-toe' have changed"):
        verify(table, other)


def test_a_changed_rule_is_found_by_the_rules_even_if_its_digest_fits(table):
    game = load("tic-tac-toe")

    def score(state):
        return -game.score(state)

    solution = Solution.load(table, game)
    found = examine(replace(solution, game=game.replace(score=score)), threads=1, compiled=False)
    assert found.count == 958 - 16  # every end but those of drawn games
    assert len(found.wrong) == 5
    assert "and 937 more" in found.explain()


# Tables by strangers.


def signed(data, header):
    """Return the bytes of a table's file with another *header*, of any length, and checksums that fit."""
    _, old_size, old_at, _, _ = FIXED.unpack(data[: FIXED.size])
    sections = data[old_at:]
    checksums = data[FIXED.size + old_size : old_at]
    data_at = -(-(FIXED.size + len(header) + len(checksums)) // 4096) * 4096
    rest = (header + checksums).ljust(data_at - FIXED.size, b"\0")
    fixed = MAGIC, len(header), data_at, data_at + len(sections)
    digest = hashlib.sha256(FIXED.pack(*fixed, bytes(32)) + rest).digest()
    return repaired(FIXED.pack(*fixed, digest) + rest + sections)


def test_a_table_names_built_in_games_only(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text(
        "from pathlib import Path\nPath('ran').touch()\nfrom outplay import load\ngame = load('tic-tac-toe')\n"
    )
    data = table.read_bytes()
    for name in ("evil.py", "./evil.py", str(tmp_path / "evil.py"), "evil.py:game", "./evil"):
        header = header_of(data)[0] | {"loaded_as": name}
        table.write_bytes(signed(data, json.dumps(header).encode()))
        with pytest.raises(TableError, match="which is not built in; say where it is"):
            verify(table)
    for name in ("connect-four:columns=99999", "connect-four:columns=x", "pig:nonsense", "nim:=", ""):
        header = header_of(data)[0] | {"loaded_as": name, "game": "mine"}
        table.write_bytes(signed(data, json.dumps(header).encode()))
        with pytest.raises(TableError, match="which is not built in; say where it is"):
            verify(table)
    assert not (tmp_path / "ran").exists()


HUGE = 10**30
NONSENSE = [
    None,
    True,
    -1,
    0,
    1,
    0.5,
    HUGE,
    -HUGE,
    float("nan"),
    float("inf"),
    "",
    "text",
    [],
    [[]],
    [None],
    [-1],
    [HUGE],
    {},
    {"": 0},
]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The file of a small table, as bytes, and its game."""
    path = tmp_path_factory.mktemp("small") / "table"
    game = walk(LONG)
    solve(game, file=path, compiled=False, threads=1)
    return path.read_bytes(), game


def refused_or_true(path, game):
    """Load and examine what is at *path*; anything that goes wrong must be a TableError."""
    try:
        solution = Solution.load(path, game)
        for rows in solution.table.rows:
            assert len(rows.keys[:]) == len(rows.codes[:])
        plain_examine(solution)
    except TableError:
        return


def test_nonsense_in_a_signed_header_is_refused(small, tmp_path):
    data, game = small
    whole = header_of(data)[0]
    path = tmp_path / "table"
    path.write_bytes(signed(data, json.dumps(whole).encode()))
    assert plain_examine(Solution.load(path, game))  # signed anew, it is as good as before

    def places(value, trail=()):
        yield trail
        for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
            yield from places(part, (*trail, key))

    def changed(value, trail, part):
        if not trail:
            return part
        copy = dict(value) if isinstance(value, dict) else list(value)
        copy[trail[0]] = changed(copy[trail[0]], trail[1:], part)
        return copy

    for trail in places(whole):
        if trail in (("rules",), ("game",)):
            continue  # other rules are refused as such
        for part in NONSENSE:
            path.write_bytes(signed(data, json.dumps(changed(whole, trail, part)).encode()))
            refused_or_true(path, game)
    for key in whole:
        path.write_bytes(signed(data, json.dumps({name: part for name, part in whole.items() if name != key}).encode()))
        with pytest.raises(TableError):
            Solution.load(path, game)


@pytest.mark.parametrize("header", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"[]", b"null", b'"text"'])
def test_a_signed_header_that_is_no_header_is_refused(small, tmp_path, header):
    path = tmp_path / "table"
    path.write_bytes(signed(small[0], header))
    for read in (verify, lambda path: Solution.load(path, small[1])):
        with pytest.raises(TableError, match="makes no sense"):
            read(path)


@pytest.mark.parametrize("lengths", [(0, 72), (1 << 62, 4096), (10, 0), (10, 1 << 63), (10, 73), (1 << 63, 1 << 63)])
def test_signed_lengths_that_do_not_fit_are_refused(small, tmp_path, lengths):
    data, path = small[0], tmp_path / "table"
    header_size, data_at = lengths
    rest = data[FIXED.size : max(min(data_at, len(data)), FIXED.size)]
    fixed = MAGIC, header_size, data_at, len(data)
    digest = hashlib.sha256(FIXED.pack(*fixed, bytes(32)) + rest).digest()
    path.write_bytes(FIXED.pack(*fixed, digest) + data[FIXED.size :])
    with pytest.raises(TableError, match="makes no sense"):
        verify(path, small[1])


def test_an_entry_that_means_no_value_is_refused(small, tmp_path):
    data, game = bytearray(small[0]), small[1]
    header, data_at = header_of(data)
    section = header["sections"]["codes"]
    size = section["states"] * np.dtype(section["type"]).itemsize
    at = data_at + section["offset"]
    data[at : at + size] = b"\xff" * size
    (tmp_path / "table").write_bytes(repaired(bytes(data)))
    with pytest.raises(TableError, match="has no value for the state"):
        Solution.load(tmp_path / "table", game)

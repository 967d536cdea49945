"""A recorded Monte Carlo search as the page gets it."""

from outplay.search.montecarlo.selection import Selection
from outplay.search.montecarlo.tree_trace import Simulation, TreeNode, TreeTrace
from outplay.web import answers


def simulations_answer(found: TreeTrace, asked: int, *, hurried: bool) -> answers.Simulations:
    """Return *found* as an answer. *asked* is the number of simulations that were wanted; *hurried* says that others waited."""
    result = found.result
    stopped_by: str = result.stopped_by
    if hurried:
        stopped_by = "busy"
    elif stopped_by == "simulations" and len(found.simulations) < asked:
        stopped_by = "size"
    by_rank = result.game.rank is not None
    return answers.Simulations(
        nodes=[_node(node, by_rank=by_rank) for node in found.nodes],
        simulations=[_simulation(one) for one in found.simulations],
        rule="PUCT" if by_rank else "UCB1",
        line=list(found.line),
        low=result.game.low,
        high=result.game.high,
        value=result.value,
        proven=result.proven,
        stopped_by=stopped_by,
    )


def _node(node: TreeNode, *, by_rank: bool) -> answers.GrownNode:
    return answers.GrownNode(
        parent=node.parent,
        choice=node.choice,
        name=node.name,
        probability=node.probability,
        prior=node.prior if by_rank else None,
        kind=node.kind,
        born=node.born,
    )


def _simulation(one: Simulation) -> answers.Simulation:
    return answers.Simulation(
        path=list(one.path),
        selections=[_selection(selection) for selection in one.selections],
        expanded=list(one.expanded),
        playout=list(one.playout),
        estimate=one.estimate,
        result=one.result,
        proven=one.proven,
        told=list(one.backed_up),
        changes=[
            answers.Figures(node=node, visits=known.visits, mean=known.mean, lower=known.lower, upper=known.upper)
            for node, known in one.changes.items()
        ],
    )


def _selection(selection: Selection) -> answers.Selection:
    return answers.Selection(
        node=selection.node,
        chosen=selection.chosen,
        settled=selection.settled,
        options=[
            answers.Scored(
                node=option.index,
                visits=option.visits,
                mean=option.mean,
                bonus=option.bonus,
                score=option.score,
                standing=option.standing,
            )
            for option in selection.options
            if option.standing != "untried"
        ],
        untried=sum(option.standing == "untried" for option in selection.options),
    )

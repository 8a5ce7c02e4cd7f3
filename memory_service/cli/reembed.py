"""The command `reembed`: embed a bank's texts by another model and switch the bank to it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from memory_service.cli.terminal import AsJson, Bank, print_answer, with_memory
from memory_service.errors import InvalidInput

if TYPE_CHECKING:
    from memory_service.intake.reembed import End
    from memory_service.memory import Memory
    from memory_service.results import Reembedding

ENDED = {
    "switched": "is switched",
    "refused": "is not switched: the other model finds less",
    "none": "is not being re-embedded",
}


def reembed(
    bank: Bank,
    to: Annotated[str | None, typer.Option(help="the new embedding model; without it, continue")] = None,
    back: Annotated[bool, typer.Option("--back", help="return to the former model")] = False,
    end: Annotated[bool, typer.Option("--end", help="give up the vectors of the model not in use")] = False,
    keep: Annotated[int, typer.Option(help="days that the former model's vectors are kept")] = 7,
    verify: Annotated[int, typer.Option(help="queries to compare both models by before the switch")] = 0,
    share: Annotated[float, typer.Option(help="share of the time that it works, 0.01 to 1")] = 0.5,
    as_json: AsJson = False,
) -> None:
    """Embed a bank's memories by another model, then switch the bank; it can be interrupted and repeated.

    Exit code 1 if the comparison of --verify keeps the bank from being switched.
    """
    if (to is not None) + back + end > 1:
        raise InvalidInput("--to", "give one of --to, --back and --end")

    async def carried_out(memory: Memory) -> tuple[End | None, Reembedding | None]:
        ended: End | None = None
        if end:
            await memory.end_reembedding(bank)
        else:
            model = await former(memory) if back else to
            ended = await memory.reembed(bank, model, keep_days=keep, verify=verify, share=share)
        return ended, await memory.reembedding(bank)

    async def former(memory: Memory) -> str:
        state = await memory.reembedding(bank)
        if state is None or state.status != "kept" or state.switched_at is None:
            raise InvalidInput("--back", "the bank keeps no vectors of a former model")
        return state.other_model

    ended, state = with_memory(carried_out)
    print_answer({"ended": ended, "reembedding": state}, summary(bank, ended, state), as_json=as_json)
    if ended == "refused":
        sys.exit(1)


def summary(bank: str, ended: End | None, state: Reembedding | None) -> str:
    """The result as text."""
    lines = [] if ended is None else [f"Bank {bank} {ENDED[ended]}."]
    if state is None:
        return " ".join([*lines, "It has vectors of one model."])
    if state.verified is not None:
        v = state.verified
        lines.append(
            f"recall@10 of {v['queries']} queries: {v['embedding_model']:.3f} by the model in use then, "
            f"{v['other_model']:.3f} by the other, {v['shared']:.3f} of the results shared."
        )
    lines.append(f"It uses {state.embedding_model}.")
    if state.keep_until is not None:
        lines.append(f"Vectors of {state.other_model} are kept until {state.keep_until:%Y-%m-%d %H:%M %Z}.")
    else:
        lines.append(f"{state.other_texts} of {state.texts} texts have a vector of {state.other_model}.")
    return " ".join(lines)

/** The flags and arguments of `undo`, `redo` and `diff`. */
import * as Argument from "effect/cli/Argument"
import * as Option from "effect/Option"
import * as Shapes from "./Shapes.ts"

export const turn = Argument.Int("TURN").pipe(
  Argument.withDescription("Restore files to their state before this turn; default: the last one that changed files"),
  Argument.optional,
  Argument.map(Option.getOrNull)
)

export const session = Shapes.optionalText(
  "session",
  "ID",
  "Session id or its prefix; default: the newest session here that changed files"
)

export const force = Shapes.toggle("force", "Overwrite files that were changed since by another program or person")

/** The flags and arguments of `undo`, `redo` and `diff`. */
import * as Argument from "effect/cli/Argument"
import * as Option from "effect/Option"
import * as Shapes from "./Shapes.ts"

const turnFor = (description: string): Argument.Argument<number | null> =>
  Argument.Int("TURN").pipe(
    Argument.withDescription(`${description}; default: the last one that changed files`),
    Argument.optional,
    Argument.map(Option.getOrNull)
  )

export const turn = turnFor("Restore files to their state before this turn")

export const turnToShow = turnFor("Show changes since before this turn")

export const session = Shapes.optionalText(
  "session",
  "ID",
  "Session id or its prefix; default: the newest session here that changed files"
)

export const force = Shapes.toggle("force", "Overwrite files that were changed since by another program or person")

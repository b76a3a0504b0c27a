/** What the command line names by the beginning of an id: the one thing that has it. Pure. */
import * as Effect from "effect/Effect"
import { type HostFailure, invalid } from "../HostFailure.ts"

export interface IdListing<A> {
  readonly idOf: (one: A) => string
  /** As people call several of them. */
  readonly plural: string
  /** The command that lists them. */
  readonly lists: string
}

/** Ids that an error names: with one more it is known that there are more. */
export const maxNamed = 5

/** Null: none begins so, as none begins with nothing. Several are an error that names them. */
export const findUnique = <A>(
  given: string,
  known: ReadonlyArray<A>,
  { idOf, lists, plural }: IdListing<A>
): Effect.Effect<A | null, HostFailure> => {
  const fitting = given === "" ? [] : known.filter((one) => idOf(one).startsWith(given))
  if (fitting.length <= 1) return Effect.succeed(fitting[0] ?? null)
  const named = fitting.slice(0, maxNamed).map(idOf).join(", ")
  const more = fitting.length > maxNamed ? " and more" : ""
  return Effect.fail(invalid(`several ${plural} begin with ${given}: ${named}${more}`, `give more of the id; ${lists}`))
}

/** Finds the only object whose id begins with a prefix. Pure. */
import * as Effect from "effect/Effect"
import { type HostFailure, invalid, type NextStep } from "../HostFailure.ts"

export interface IdListing<A> {
  readonly idOf: (one: A) => string
  /** The plural noun for the objects. */
  readonly plural: string
  /** The command that lists them. */
  readonly lists: NextStep
}

/** The maximum number of ids that an error names. */
export const maxNamed = 5

/** Returns null if no id begins with the prefix, or the prefix is empty. Fails if several do, and names them. */
export const findUnique = <A>(
  idOrPrefix: string,
  known: ReadonlyArray<A>,
  { idOf, lists, plural }: IdListing<A>
): Effect.Effect<A | null, HostFailure> => {
  const fitting = idOrPrefix === "" ? [] : known.filter((one) => idOf(one).startsWith(idOrPrefix))
  if (fitting.length <= 1) return Effect.succeed(fitting[0] ?? null)
  const named = fitting.slice(0, maxNamed).map(idOf).join(", ")
  const more = fitting.length > maxNamed ? " and more" : ""
  return Effect.fail(
    invalid(`${idOrPrefix} is ambiguous: the ${plural} ${named}${more} begin with it`, "give a longer prefix", lists)
  )
}

/** Finds the one thing whose id begins with a prefix. Pure. */
import * as Effect from "effect/Effect"
import { type HostFailure, invalid, type NextStep } from "../HostFailure.ts"

export interface IdListing<A> {
  readonly idOf: (one: A) => string
  /** The noun for several of them. */
  readonly plural: string
  /** The step that lists them. */
  readonly lists: NextStep
}

/** The most ids that an error names. */
export const maxNamed = 5

/** Returns null where no id begins with the prefix, or the prefix is empty. Fails where several do, and names them. */
export const findUnique = <A>(
  given: string,
  known: ReadonlyArray<A>,
  { idOf, lists, plural }: IdListing<A>
): Effect.Effect<A | null, HostFailure> => {
  const fitting = given === "" ? [] : known.filter((one) => idOf(one).startsWith(given))
  if (fitting.length <= 1) return Effect.succeed(fitting[0] ?? null)
  const named = fitting.slice(0, maxNamed).map(idOf).join(", ")
  const more = fitting.length > maxNamed ? " and more" : ""
  return Effect.fail(
    invalid(`${given} is ambiguous: the ${plural} ${named}${more} begin with it`, "give a longer prefix", lists)
  )
}

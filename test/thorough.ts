/**
 * How much of a repeated story the tests play: a kill at every write, every entry point of a hostile repository, every
 * order of decisions. `pnpm test` plays a few of them, always the same. A run with `BOUGH_TEST_THOROUGH=yes` plays all, and
 * one with `BOUGH_TEST_THOROUGH=rest` those that `pnpm test` leaves out.
 */
const mode = process.env["BOUGH_TEST_THOROUGH"]

export const isThorough = mode === "yes" || mode === "rest"

/** The tag of tests that play more in a thorough run; those without it would play the same again. */
export const thorough = { tags: ["thorough"] }

/** Returns those of `all` that every run plays, by their index; in a thorough run all, or the rest. */
export const chosenOf = <A>(all: ReadonlyArray<A>, isChosen: (index: number) => boolean): ReadonlyArray<A> =>
  mode === "yes" ? all : all.filter((_, index) => isChosen(index) !== (mode === "rest"))

/** Returns `count` of `all`, the first and the last included, evenly spread; in a thorough run all, or the rest. */
export const someOf = <A>(all: ReadonlyArray<A>, count: number): ReadonlyArray<A> => {
  const step = (all.length - 1) / Math.max(1, count - 1)
  const few = new Set(Array.from({ length: count }, (_, index) => Math.round(index * step)))
  return chosenOf(all, (index) => all.length <= count || few.has(index))
}

/**
 * How much the tests play. `pnpm test` plays a few cases of a repeated story (a kill at every write, every order of
 * decisions), always the same, and of expensive tests one for each mechanism. A run with `BOUGH_TEST_THOROUGH=yes` plays
 * all, and one with `BOUGH_TEST_THOROUGH=rest` what `pnpm test` leaves out.
 */
const mode = process.env["BOUGH_TEST_THOROUGH"]

export const isThorough = mode === "yes" || mode === "rest"

/** The tag of tests that play more in a thorough run; those without it would play the same again. */
export const thorough = { tags: ["thorough"] }

/** The tag of tests that a thorough run alone plays: `pnpm test` plays a cheaper one of the same mechanism. */
export const thoroughOnly = { tags: ["thoroughOnly"], ...(isThorough ? {} : { skip: true }) }

interface Arbitrary {
  readonly runs: number
  readonly size?: number
  readonly maxShrinks?: number
}

/** Returns the options of a property: every run plays a twentieth of its random cases, a thorough run plays all. */
export const sampled = ({ arbitrary }: { readonly arbitrary: Arbitrary }) => ({
  ...thorough,
  arbitrary: { ...arbitrary, runs: isThorough ? arbitrary.runs : Math.ceil(arbitrary.runs / 20) }
})

/** Returns the elements of `all` that every run plays, by their index; in a thorough run all, or the rest. */
export const chosenOf = <A>(all: ReadonlyArray<A>, isChosen: (index: number) => boolean): ReadonlyArray<A> =>
  mode === "yes" ? all : all.filter((_, index) => isChosen(index) !== (mode === "rest"))

/** Returns `count` of `all`, the first and the last included, evenly spread; in a thorough run all, or the rest. */
export const someOf = <A>(all: ReadonlyArray<A>, count: number): ReadonlyArray<A> => {
  const step = (all.length - 1) / Math.max(1, count - 1)
  const few = new Set(Array.from({ length: count }, (_, index) => Math.round(index * step)))
  return chosenOf(all, (index) => all.length <= count || few.has(index))
}

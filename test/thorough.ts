/**
 * How much of a repeated story the tests play: a kill at every write, every entry point of a hostile repository, every
 * order of decisions. `pnpm test` plays a few of them, always the same; a run with `BOUGH_TEST_THOROUGH=yes` plays all.
 */
export const isThorough = process.env["BOUGH_TEST_THOROUGH"] === "yes"

/** Returns `all` in a thorough run, otherwise `count` of them, the first and the last included, evenly spread. */
export const someOf = <A>(all: ReadonlyArray<A>, count: number): ReadonlyArray<A> => {
  if (isThorough || all.length <= count) return all
  const step = (all.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, index) => all[Math.round(index * step)])
}

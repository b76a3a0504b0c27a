/** Medians and quantiles, and interleaved runs, so that a slow minute of the machine affects every subject. */
import { check } from "./Check.ts"

/** Returns the value below which the share `q` of the samples is, interpolated between neighbours. */
export const quantile = (samples: ReadonlyArray<number>, q: number): number => {
  check(samples.length > 0, "there are no samples")
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * q
  const below = sorted[Math.floor(at)]
  return below + (sorted[Math.ceil(at)] - below) * (at % 1)
}

export const median = (samples: ReadonlyArray<number>): number => quantile(samples, 0.5)

export const min = (samples: ReadonlyArray<number>): number => quantile(samples, 0)

export const max = (samples: ReadonlyArray<number>): number => quantile(samples, 1)

/** Runs every subject `rounds` times, one after another, each round in the reverse order of the one before. */
export const interleave = async <Name extends string, A>(
  rounds: number,
  subjects: Readonly<Record<Name, () => Promise<A>>>
): Promise<Readonly<Record<Name, ReadonlyArray<A>>>> => {
  const names = Object.keys(subjects) as Array<Name>
  const results = Object.fromEntries(names.map((name) => [name, [] as Array<A>])) as Record<Name, Array<A>>
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name].push(await subjects[name]())
  }
  return results
}

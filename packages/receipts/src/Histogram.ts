/**
 * Counts whole numbers in a bounded number of buckets: exact below 256, within 1 % above it. Percentiles of any number
 * of latencies therefore need only the memory of a few hundred numbers. Pure.
 */

/** The counts by the lower bound of the bucket. */
export interface Histogram {
  readonly buckets: Map<number, number>
  count: number
}

export const empty = (): Histogram => ({ buckets: new Map(), count: 0 })

const exactBits = 8

/** Returns the bucket of a value: its eight highest bits. */
const bucketOf = (value: number): number => {
  const unit = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, value))) + 1 - exactBits)
  return Math.floor(value / unit) * unit
}

/** Adds a value, which must be a natural number. */
export const add = (histogram: Histogram, value: number): void => {
  const bucket = bucketOf(value)
  histogram.buckets.set(bucket, (histogram.buckets.get(bucket) ?? 0) + 1)
  histogram.count += 1
}

/**
 * Returns the nearest-rank percentile, rounded down to its bucket; null: there are no values. `fraction` is above 0 and
 * at most 1.
 */
export const percentile = ({ buckets, count }: Histogram, fraction: number): number | null => {
  let remainingCount = Math.ceil(count * fraction)
  for (const [bucket, held] of [...buckets].toSorted(([a], [b]) => a - b)) {
    remainingCount -= held
    if (remainingCount <= 0) return bucket
  }
  return null
}

/** Adds the counts of another histogram. */
export const merge = (into: Histogram, { buckets, count }: Histogram): void => {
  for (const [bucket, held] of buckets) into.buckets.set(bucket, (into.buckets.get(bucket) ?? 0) + held)
  into.count += count
}

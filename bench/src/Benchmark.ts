/** What a benchmark is, and what it reports. Data, so that it prints and is kept as JSON alike. */

export interface BenchmarkOptions {
  /** Fewer runs: to see that it works, not to quote. */
  readonly quick: boolean
  /** An empty directory of this benchmark's own, on the disk that is measured. */
  readonly folder: string
  /** A folder with a model that transformers.js runs; null: the model that ships with the program. */
  readonly embedding: string | null
}

/** A number as measured; `unit` is "ms", "µs", "kB", "MB", "bytes" or "/s". */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
}

export interface Aim {
  readonly words: string
  readonly met: boolean
}

export interface Row {
  readonly label: string
  /** How many times as much as what it is compared with; null: it is compared with nothing. */
  readonly ratio: number | null
  readonly figures: ReadonlyArray<Figure>
  readonly aim: Aim | null
}

export interface Report {
  readonly rows: ReadonlyArray<Row>
  /** How it was measured, where a reader could think otherwise. */
  readonly notes: ReadonlyArray<string>
  /** What should be here and is not, each with its reason. */
  readonly notMeasured: ReadonlyArray<string>
}

export interface Benchmark {
  /** One word, to ask for it by. */
  readonly name: string
  readonly title: string
  readonly run: (options: BenchmarkOptions) => Promise<Report>
}

export const figure = (name: string, value: number, unit: string): Figure => ({ name, value, unit })

/** Met when `value` is at most `limit`. */
export const atMost = (value: number, limit: number, words: string): Aim => ({ words, met: value <= limit })

/** A benchmark and its report. They are data, which is both printed and saved as JSON. */

export interface BenchmarkOptions {
  /** True: fewer runs, which show that the benchmark works but not a precise number. */
  readonly quick: boolean
  /** An empty directory for this benchmark only, on the measured disk. */
  readonly folder: string
  /** A folder with a model for transformers.js; null: the model that ships with the program. */
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
  /** The ratio to the base of the comparison; null: there is none. */
  readonly ratio: number | null
  readonly figures: ReadonlyArray<Figure>
  readonly aim: Aim | null
}

export interface Report {
  readonly rows: ReadonlyArray<Row>
  /** The method, where a reader might assume a different one. */
  readonly notes: ReadonlyArray<string>
  /** Missing measurements, each with its reason. */
  readonly notMeasured: ReadonlyArray<string>
}

export interface Benchmark {
  /** The name that selects the benchmark on the command line. */
  readonly name: string
  readonly title: string
  readonly run: (options: BenchmarkOptions) => Promise<Report>
}

export const figure = (name: string, value: number, unit: string): Figure => ({ name, value, unit })

/** Returns an aim that is met if `value` is at most `limit`. */
export const atMost = (value: number, limit: number, words: string): Aim => ({ words, met: value <= limit })

/** Metrics in Prometheus' text format. Pure. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export interface PrometheusMetric {
  readonly name: string
  readonly help: string
  readonly type: "counter" | "gauge"
  readonly samples: ReadonlyArray<Sample>
}

const escape = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"')

const line = (name: string, { labels = {}, value }: Sample): string => {
  const written = Object.entries(labels).map(([label, text]) => `${label}="${escape(text)}"`)
  return `${name}${written.length === 0 ? "" : `{${written.join(",")}}`} ${value}`
}

/** Writes each metric with its help and type, then its samples. */
export const format = (metrics: ReadonlyArray<PrometheusMetric>): string =>
  metrics
    .flatMap(({ help, name, samples, type }) => [
      `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
      `# TYPE ${name} ${type}`,
      ...samples.map((sample) => line(name, sample))
    ])
    .join("\n") + "\n"

/** Reports as text: the ratio first, then its parts, then whether the aim was met. */
import type { Figure, Report, Row } from "./Benchmark.ts"

/** One of `report` and `failure` is null. */
export interface Outcome {
  readonly name: string
  readonly title: string
  readonly report: Report | null
  readonly failure: string | null
}

export const outcome = ({ failure, name, report, title }: Outcome): string => {
  const body = report === null ? [`  FAILED: ${failure}`] : reportLines(report)
  return `\n${name}: ${title}\n${body.join("\n")}\n`
}

const reportLines = ({ notMeasured, notes, rows }: Report): ReadonlyArray<string> => {
  const widest = Math.max(0, ...rows.map(({ label }) => label.length))
  return [
    ...rows.map((row) => rowLine(row, widest)),
    ...notes.map((note) => `  note: ${note}`),
    ...notMeasured.map((missing) => `  not measured: ${missing}`)
  ]
}

const rowLine = ({ aim, figures, label, ratio }: Row, width: number): string =>
  [
    (ratio === null ? "" : `${ratio.toFixed(2)}×`).padStart(9),
    label.padEnd(width),
    figures.map(figureText).join(" · "),
    ...(aim === null ? [] : [`[aim: ${aim.words}: ${aim.met ? "met" : "MISSED"}]`])
  ].join("  ")

const figureText = ({ name, unit, value }: Figure): string => `${name} ${number(value)} ${unit}`

/** Three significant digits; integers in full. */
const number = (value: number): string =>
  Number.isInteger(value) ? String(value) : Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3)

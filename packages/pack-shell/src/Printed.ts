/**
 * A command's output as a terminal shows it: both streams in the order in which their pieces came, then how it ended. The
 * typed output keeps the streams apart and knows no time, so both are remembered beside it until it is rendered.
 */

export type Stream = "stdout" | "stderr"

/** `bounded`: no more than so much is kept; then the order is not known. */
interface Pieces {
  text: string
  readonly streams: Record<Stream, string>
  isWhole: boolean
}

export interface Output {
  readonly exitCode: number | null
  readonly signal?: string
  readonly stdout: string
  readonly stderr: string
  readonly omittedBytes?: number
  readonly remarks?: ReadonlyArray<string>
}

interface Run {
  readonly pieces: Pieces
  readonly elapsedMillis: number
}

const maxLength = 1024 * 1024

export const pieces = (): Pieces => ({ text: "", streams: { stdout: "", stderr: "" }, isWhole: true })

export const add = (pieces: Pieces, stream: Stream, text: string): void => {
  if (!pieces.isWhole) return
  pieces.text += text
  pieces.streams[stream] += text
  if (pieces.text.length > maxLength) pieces.isWhole = false
}

const runs = new WeakMap<Output, Run>()

export const remember = (output: Output, run: Run): void => void runs.set(output, run)

export const format = (output: Output): string => {
  const run = runs.get(output) ?? null
  const printed = printedOf(output, run).replace(/\n+$/u, "")
  const ending = [...(output.remarks ?? []), endOf(output, run)].map((line) => `[${line}]`).join("\n")
  return printed === "" ? ending : `${printed}\n${ending}`
}

/** Pieces that are not all of the output, or another one, say nothing of its order: then errors come last. */
const printedOf = ({ stderr, stdout }: Output, run: Run | null): string => {
  if (stderr === "") return stdout
  if (stdout === "") return stderr
  const pieces = run?.pieces
  const isKnown = pieces?.isWhole === true && pieces.streams.stdout === stdout && pieces.streams.stderr === stderr
  return isKnown ? pieces.text : `${stdout.endsWith("\n") ? stdout : `${stdout}\n`}${stderr}`
}

const endOf = ({ exitCode, signal }: Output, run: Run | null): string => {
  const end = exitCode === null ? `ended by ${signal ?? "a signal"}` : `exit ${exitCode}`
  return run === null ? end : `${end}, ${(run.elapsedMillis / 1000).toFixed(1)} s`
}

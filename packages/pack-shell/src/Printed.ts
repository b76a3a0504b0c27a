/**
 * Formats a command's output as a terminal shows it, then its end. The duration is not part of the typed output, and is
 * stored separately.
 */

export interface Output {
  readonly exitCode: number | null
  readonly signal?: string
  readonly stdout: string
  readonly stderr: string
  readonly omittedBytes?: number
  readonly commandId?: string
  readonly nextOffset?: number
  readonly remarks?: ReadonlyArray<string>
}

interface PrintedRun {
  readonly elapsedMillis: number
}

const runs = new WeakMap<Output, PrintedRun>()

export const remember = (output: Output, run: PrintedRun): void => void runs.set(output, run)

export const format = (output: Output): string => {
  const run = runs.get(output) ?? null
  const printed = printedOf(output).replace(/\n+$/u, "")
  const ending = [...(output.remarks ?? []), endOf(output, run)].map((line) => `[${line}]`).join("\n")
  return printed === "" ? ending : `${printed}\n${ending}`
}

/** Joins the streams. Remarks of the sandbox follow at the end, as do errors of a program that could not be started. */
const printedOf = ({ stderr, stdout }: Output): string => {
  if (stderr === "") return stdout
  if (stdout === "") return stderr
  return `${stdout.endsWith("\n") ? stdout : `${stdout}\n`}${stderr}`
}

const endOf = (output: Output, run: PrintedRun | null): string => {
  const { commandId, exitCode, nextOffset = 0, signal } = output
  if (commandId !== undefined) return `left running as ${commandId}; read_command_output continues at ${nextOffset}`
  const end = exitCode === null ? `ended by ${signal ?? "a signal"}` : `exit ${exitCode}`
  return run === null ? end : `${end}, ${(run.elapsedMillis / 1000).toFixed(1)} s`
}

/**
 * Handles Ctrl-C and similar signals: the first asks the running work to stop, a second one ends the process at once.
 */
import type { ExitCode } from "./CliFailure.ts"
import { exitCode } from "./CliFailure.ts"

export type Signal = "SIGINT" | "SIGTERM" | "SIGHUP"

export interface Signals {
  /** Applies the signal to the running work. */
  readonly interrupt: (signal: Signal) => void
  /** Until the returned function is called, Ctrl-C stops this work instead of the program. */
  readonly duringWork: (stop: () => void) => () => void
  /** The exit code for the received signal; null if none was received. */
  readonly ending: () => ExitCode | null
  /**
   * True if the terminal closes or the machine shuts down: work stops without recording an end, so that it can be
   * resumed.
   */
  readonly isLeaving: () => boolean
}

const codes: Readonly<Record<Signal, ExitCode>> = {
  SIGINT: exitCode.interrupted,
  SIGTERM: exitCode.terminated,
  SIGHUP: exitCode.interrupted
}

/** The time that running work gets to stop cleanly. */
const timeoutMillis = 5_000

/** `stop` ends the program cleanly, `kill` at once. */
export const make = (stop: () => void, kill: (code: ExitCode) => void): Signals => {
  let work: (() => void) | null = null
  let stopping = false
  let ending: Signal | null = null
  const interrupt = (signal: Signal): void => {
    if (stopping) return kill(codes[signal])
    if (signal === "SIGINT" && work !== null) {
      const stopWork = work
      // Another signal before the work has ended finds no listener, so it ends the process.
      work = null
      return stopWork()
    }
    stopping = true
    ending = signal
    stop()
    // Exits without waiting for work that cannot be interrupted: the journal contains the intent.
    setTimeout(() => kill(codes[signal]), timeoutMillis).unref()
  }
  return {
    interrupt,
    duringWork: (stopWork) => {
      work = stopWork
      return () => {
        if (work === stopWork) work = null
      }
    },
    ending: () => (ending === null ? null : codes[ending]),
    isLeaving: () => ending === "SIGTERM" || ending === "SIGHUP"
  }
}

/** Receives the signals of this process from now on. */
export const listen = ({ interrupt }: Signals): void => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupt(signal))
}

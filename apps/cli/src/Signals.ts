/** Ctrl-C and its kin: the first asks what runs to stop, a second one ends the process at once. */
import type { ExitCode } from "./CliFailure.ts"
import { exitCode } from "./CliFailure.ts"

export type Signal = "SIGINT" | "SIGTERM" | "SIGHUP"

export interface Signals {
  /** Does what the signal would do to the running work. */
  readonly interrupt: (signal: Signal) => void
  /** Until the returned function is called, Ctrl-C stops this work instead of the program. */
  readonly duringWork: (stop: () => void) => () => void
  /** How the program ends because of a signal; null: none came. */
  readonly ending: () => ExitCode | null
  /** True if the terminal or the machine goes away: work stops without an end, so that it can be resumed. */
  readonly isLeaving: () => boolean
}

const codes: Readonly<Record<Signal, ExitCode>> = {
  SIGINT: exitCode.interrupted,
  SIGTERM: exitCode.terminated,
  SIGHUP: exitCode.interrupted
}

/** How long what runs has to stop in good order. */
const patienceMillis = 5_000

/** `stop` ends the program in good order, `kill` at once. */
export const make = (stop: () => void, kill: (code: ExitCode) => void): Signals => {
  let work: (() => void) | null = null
  let stopping = false
  let ending: Signal | null = null
  const interrupt = (signal: Signal): void => {
    if (stopping) return kill(codes[signal])
    if (signal === "SIGINT" && work !== null) {
      const stopWork = work
      // Another one before the work has ended finds nothing that listens: it ends the program.
      work = null
      return stopWork()
    }
    stopping = true
    ending = signal
    stop()
    // Exits without waiting for work that cannot be interrupted: the journal records what it was about to do.
    setTimeout(() => kill(codes[signal]), patienceMillis).unref()
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

/** The outcome of a call whose effect is unknown. */
import type { Entry } from "@bough/protocol"

type Unknown = Extract<Entry.Outcome, { readonly _tag: "Unknown" }>

const advice = "check before doing it again"

/** Describes a call that was started by a process that ended, or that is not run again. */
export const interruptedOutcome = (why: string): Unknown => ({
  _tag: "Unknown",
  message: `outcome unknown: it was interrupted between its start and its result; ${advice} (${why})`
})

/**
 * Describes a call whose handler was stopped, timed out or died after it had begun. `reason` is a clause about the
 * tool, `soFar` the known part of its work.
 */
export const stoppedOutcome = (reason: string, soFar?: string): Unknown => ({
  _tag: "Unknown",
  message: `outcome unknown: ${reason}, and it may have taken effect; ${advice}${soFar === undefined ? "" : `; ${soFar}`}`
})

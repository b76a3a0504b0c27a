/** Child sessions that still run, as text. Pure. */

import { type SafeText, text } from "@bough/tui/text/SafeText"

/** Formats a count such as "2 child sessions". */
export const childCount = (live: number): SafeText => text`${live} child session${live === 1 ? "" : "s"}`

/** Formats "2 child sessions are still open; run COMMAND to continue". `live`: at least 1. */
export const openChildrenText = (live: number, command: string): string =>
  `${childCount(live)} ${live === 1 ? "is" : "are"} still open; run "${command}" to continue`

/** Formats the notice after a turn about child sessions that still run; null: none does. */
export const runningChildrenNotice = (live: number): string | null =>
  live === 0
    ? null
    : `${childCount(live)} ${live === 1 ? "is still running; its result arrives" : "are still running; their results arrive"} with your next message`

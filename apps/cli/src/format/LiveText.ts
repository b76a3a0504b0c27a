/** Sessions below one that have not ended, for people. Pure. */

import { type SafeText, text } from "@bough/tui/text/SafeText"

/** Such as "2 sessions below it". */
export const below = (live: number): SafeText => text`${live} session${live === 1 ? "" : "s"} below it`

/** Such as "2 sessions below it have not ended; COMMAND goes on from there". `live`: at least 1. */
export const goOn = (live: number, command: string): string =>
  `${below(live)} ${live === 1 ? "has" : "have"} not ended; ${command} goes on from there`

/** For a conversation that stays open after a turn; null: all have ended. */
export const stillAtWork = (live: number): string | null =>
  live === 0
    ? null
    : `${below(live)} ${live === 1 ? "goes" : "go"} on, and what comes of it is told with your next message`

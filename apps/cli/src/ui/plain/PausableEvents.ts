/** Delays events, in order, while the user reads a question. */
import type { Event } from "@bough/protocol"

export interface PausableEvents {
  readonly take: (event: Event.Event) => void
  /** Delays events until `release` was called as often as `hold`. */
  readonly hold: () => void
  readonly release: () => void
}

export const make = (show: (event: Event.Event) => void): PausableEvents => {
  const delayed: Array<Event.Event> = []
  let holding = 0
  return {
    take: (event) => void (holding > 0 ? delayed.push(event) : show(event)),
    hold: () => void (holding += 1),
    release: () => {
      holding -= 1
      if (holding === 0) for (const event of delayed.splice(0)) show(event)
    }
  }
}

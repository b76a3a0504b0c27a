/** Schedules frames: at once in answer to input, and otherwise only as often as needed. */

/** The time between frames that do not answer input: 30 per second. */
export const frameMillis = 33

export interface FrameClock {
  /** Reports a change, which the next frame shows. */
  readonly changed: () => void
  /** Requests a frame in answer to input: it is drawn as soon as the current input has been read. */
  readonly answer: () => void
  /** Stops the frames. */
  readonly stop: () => void
}

/** `draw` returns true if more has to be drawn; it is then called again once pending input was read. */
export const make = (draw: () => boolean): FrameClock => {
  let timer: NodeJS.Timeout | null = null
  let soon: NodeJS.Immediate | null = null
  let drawnAtMillis = 0
  let isStopped = false

  const forget = (): void => {
    if (timer !== null) clearTimeout(timer)
    if (soon !== null) clearImmediate(soon)
    timer = null
    soon = null
  }
  const frame = (): void => {
    forget()
    const nowMillis = performance.now()
    const hasMore = draw()
    drawnAtMillis = nowMillis
    if (hasMore) answer()
  }
  const answer = (): void => {
    if (!isStopped) soon ??= setImmediate(frame)
  }
  return {
    answer,
    changed: () => {
      if (isStopped || timer !== null || soon !== null) return
      const dueMillis = drawnAtMillis + frameMillis - performance.now()
      if (dueMillis <= 0) answer()
      else timer = setTimeout(frame, dueMillis)
    },
    stop: () => {
      isStopped = true
      forget()
    }
  }
}

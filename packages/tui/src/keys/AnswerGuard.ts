/**
 * Decides when a key may answer a question: only after the question was drawn and nothing was typed for half a second
 * since. Keys that were typed ahead therefore never answer one. Plain lines and the screen use the same guard.
 */

export const quietMillis = 500

/** Runs `run` once after the delay, when everything that was typed until then has been read. Returns what cancels it. */
export type Schedule = (run: () => void, millis: number) => () => void

export interface AnswerGuard {
  /** Restarts the silence, because the question was drawn or a key was typed. */
  readonly restart: () => void
  /** True if a key counts now. */
  readonly isOpen: () => boolean
  /** No question is asked any more. */
  readonly stop: () => void
}

/** `onOpen`: keys count from now on. */
export const make = (onOpen: () => void, schedule: Schedule = afterReading): AnswerGuard => {
  let isOpen = false
  let cancel = (): void => {}
  const stop = (): void => {
    cancel()
    cancel = () => {}
    isOpen = false
  }
  return {
    restart: () => {
      stop()
      cancel = schedule(() => {
        isOpen = true
        onOpen()
      }, quietMillis)
    },
    isOpen: () => isOpen,
    stop
  }
}

/**
 * A timer that is due runs before the terminal is read: after work that held the process up, keys of that time would
 * come after it. An immediate runs once they were read.
 */
export const afterReading: Schedule = (run, millis) => {
  let immediate: NodeJS.Immediate | null = null
  const timer = setTimeout(() => {
    immediate = setImmediate(run)
  }, millis)
  return () => {
    clearTimeout(timer)
    if (immediate !== null) clearImmediate(immediate)
  }
}

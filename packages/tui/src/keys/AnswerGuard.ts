/**
 * Decides when a key may answer a question: only after the question was drawn and half a second has passed without a
 * key. Typed-ahead keys therefore never answer a question. Plain lines and the screen use the same guard.
 */

export const quietMillis = 500

/** Runs `run` once after the delay, when all input up to then has been read. Returns a function that cancels it. */
export type Schedule = (run: () => void, millis: number) => () => void

export interface AnswerGuard {
  /** Restarts the delay, because the question was drawn or a key was typed. */
  readonly restart: () => void
  /** True if a key may answer now. */
  readonly isOpen: () => boolean
  /** Called when no question is open. */
  readonly stop: () => void
}

/** `onOpen`: called when keys may answer. */
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
 * Runs after pending input was read. A due timer runs before the terminal is read, so keys from a busy period would
 * arrive after the timer. An immediate runs after they were read.
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

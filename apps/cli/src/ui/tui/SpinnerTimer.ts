/** Requests frames while work runs, so that its spinner turns. */

export interface SpinnerTimer {
  readonly turn: (isOn: boolean) => void
}

const intervalMillis = 100

export const make = (requestFrame: () => void): SpinnerTimer => {
  let timer: NodeJS.Timeout | null = null
  return {
    turn: (isOn) => {
      if (isOn) timer ??= setInterval(requestFrame, intervalMillis)
      else if (timer !== null) {
        clearInterval(timer)
        timer = null
      }
    }
  }
}

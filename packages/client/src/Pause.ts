/** A pause that an abort signal ends. */

/** Resolves after that time; rejects with the signal's reason as soon as it aborts. */
export const pause = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort)
      resolve()
    }, millis)
    signal?.addEventListener("abort", abort, { once: true })
  })

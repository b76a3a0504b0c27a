/** Stops the process, as Ctrl-Z does, until it is continued. */

/**
 * The time after which stopping counts as failed: the system does not stop a process without a shell that could
 * continue it.
 */
const unstoppedMillis = 50

/** Suspends this process; resolves when it continues. */
export const suspendProcess = (): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      process.off("SIGCONT", go)
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(go, unstoppedMillis)
    process.on("SIGCONT", go)
    process.kill(process.pid, "SIGTSTP")
  })

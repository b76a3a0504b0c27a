/** Stops the process like Ctrl-Z, until it is continued. */

/**
 * The time after which the process counts as unstoppable: the system does not stop it without a shell that would
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

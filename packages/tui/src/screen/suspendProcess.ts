/** Stops the process, as Ctrl-Z does, until it is continued. */

/**
 * The time after which the process counts as unstoppable: without a shell that could continue the process, the system
 * does not stop it.
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

/** The code of a thread of `BoundedThreads`: it answers each request with the result of `answer`. */
import { parentPort } from "node:worker_threads"

/**
 * Serves requests; the thread's module calls it once. A rejection ends the thread, and its request fails as crashed.
 */
export const serve = (answer: (request: never) => unknown): void => {
  parentPort?.on("message", (request: unknown) => {
    void Promise.resolve(answer(request as never)).then((reply) =>
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      parentPort?.postMessage(reply)
    )
  })
}

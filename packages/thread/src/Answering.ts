/** What a thread of `BoundedThreads` calls: answers each request with what `answer` returns for it. */
import { parentPort } from "node:worker_threads"

/** To be called once by the module of the thread. A rejection ends the thread, and its request fails as crashed. */
export const serve = (answer: (request: never) => unknown): void => {
  parentPort?.on("message", (request: unknown) => {
    void Promise.resolve(answer(request as never)).then((reply) =>
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      parentPort?.postMessage(reply)
    )
  })
}

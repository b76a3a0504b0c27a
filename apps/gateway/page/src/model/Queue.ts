/** Sent messages that the session has not taken yet. Pure. */

export interface Queued {
  /** The idempotency key of the request, which ends the id of the message. */
  readonly key: string
  readonly text: string
  readonly delivery: "send" | "queue" | "steer"
}

/** Messages that have become entries are shown as such. */
export const waiting = (queue: ReadonlyArray<Queued>, taken: ReadonlySet<string>): ReadonlyArray<Queued> =>
  queue.filter(({ key }) => ![...taken].some((messageId) => messageId.endsWith(`:${key}`)))

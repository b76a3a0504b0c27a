/** Sent messages that the session has not received yet. Pure. */

export interface QueuedMessage {
  /** The idempotency key of the request, which is the last part of the message's id. */
  readonly key: string
  readonly text: string
  readonly delivery: "send" | "queue" | "steer"
}

/** Returns the messages that still wait. Messages that have become entries are shown as entries. */
export const waitingMessages = (
  queue: ReadonlyArray<QueuedMessage>,
  taken: ReadonlySet<string>
): ReadonlyArray<QueuedMessage> =>
  queue.filter(({ key }) => ![...taken].some((messageId) => messageId.endsWith(`:${key}`)))

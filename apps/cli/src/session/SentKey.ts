/**
 * The keys of messages that `bough send` puts into the inbox of an open session. The owner shows such a message when it
 * joins the conversation, because its user did not type it.
 */
import { randomUUID } from "node:crypto"

const prefix = "send:"

export const make = (): string => `${prefix}${randomUUID()}`

/** True if `bough send` sent the message with this id. */
export const isSent = (messageId: string): boolean => messageId.startsWith(prefix)

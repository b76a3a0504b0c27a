/** The author of a message or a decision: a user by name, or one of the reserved authors that are not users. */
import type { SessionId } from "./Session.ts"

const sessionPrefix = "session:"

/** The author of the runtime's own messages. Account names contain no colon. */
export const runtime = ":runtime"

/** The name of a session that sends a message to another session: its text comes from a model. */
export const forSession = (sessionId: SessionId): string => `${sessionPrefix}${sessionId}`

/** True if the author is neither the runtime nor another session. */
export const isPerson = (principal: string): boolean => principal !== runtime && !principal.startsWith(sessionPrefix)

/** True if the author is a person other than the user of the session. A session whose user is not known has no others. */
export const isAnotherPerson = (principal: string, user: string | null): boolean =>
  user !== null && isPerson(principal) && principal !== user

/** Reserved names for decisions by a deadline or a session. */
const reserved: ReadonlySet<string> = new Set(["deadline", "session"])

/** The maximum length of a name, since each approval and message shows one. */
const maxLength = 256

/**
 * Characters that most fonts draw as nothing or as a space, halves of characters, and spaces at the ends. The pattern is
 * compiled at its first use, because properties of Unicode take milliseconds.
 */
const unseenCharacters = (): RegExp =>
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|^ | $| {2}/u

/** Returns the reason why a name cannot be a user's, as the end of a sentence. Null: the name is valid. */
export const problemOf = (name: string): string | null => {
  if (name.trim() === "") return "is empty"
  if (name.includes(":")) return "contains a colon, which is reserved for the runtime and for sessions"
  if (name.length > maxLength) return `is longer than ${maxLength} characters`
  if (unseenCharacters().test(name)) return "has characters that cannot be seen"
  return reserved.has(name) ? "is reserved" : null
}

/** Who is behind a message or a decision. People have names; what no person wrote is told apart here. */
import type { SessionId } from "./Session.ts"

const sessionPrefix = "session:"

/** What the runtime itself tells a session. No account has a colon in its name. */
export const runtime = ":runtime"

/** A session that speaks to another one: its words are a model's. */
export const ofSession = (sessionId: SessionId): string => `${sessionPrefix}${sessionId}`

/** Neither the runtime nor another session. */
export const isPerson = (principal: string): boolean => principal !== runtime && !principal.startsWith(sessionPrefix)

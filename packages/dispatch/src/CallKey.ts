/** The key of a call's effects: the same for every attempt, different for every call. */
import { Canonical, type Session } from "@bough/protocol"

export const callKey = (sessionId: Session.SessionId, toolCallId: Session.ToolCallId): string =>
  Canonical.digest(JSON.stringify([sessionId, toolCallId]))

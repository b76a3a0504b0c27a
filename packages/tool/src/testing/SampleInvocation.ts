/** What a tool's code is told of its call, for tests that run it without a dispatcher. */
import { Session } from "@bough/protocol"
import type * as Invocation from "../Invocation.ts"

type Invoked = Invocation.Invocation["Service"]

const sessionId = Session.SessionId.make("session")

/** A call of nobody's in a session of nothing, but for `parts`. */
export const make = (parts: Partial<Invoked> = {}): Invoked => ({
  sessionId,
  sessionPath: [sessionId],
  agent: "test",
  user: null,
  turn: 0,
  step: 0,
  toolCallId: Session.ToolCallId.make("call"),
  callKey: "key",
  labels: [],
  workspaceRoot: "/nowhere",
  config: {},
  grants: [],
  ...parts
})

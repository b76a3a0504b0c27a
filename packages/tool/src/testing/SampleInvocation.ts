/** Sample invocations, for tests that run a tool's code without a dispatcher. */
import { Session } from "@bough/protocol"
import type * as Invocation from "../Invocation.ts"

type CallContext = Invocation.Invocation["Service"]

const sessionId = Session.SessionId.make("session")

/** Makes the invocation of a call in an empty session; `parts` replaces some of its members. */
export const make = (parts: Partial<CallContext> = {}): CallContext => ({
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
  facts: [],
  ...parts
})

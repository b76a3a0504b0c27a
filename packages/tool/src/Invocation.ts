/** Who calls, from where: an immutable snapshot, made anew for every call. Always there, for every tool. */
import type { Session } from "@bough/protocol"
import * as Context from "effect/Context"
import type { Grant } from "./Grant.ts"

export class Invocation extends Context.Service<
  Invocation,
  {
    readonly sessionId: Session.SessionId
    /** From the Main down to this session. */
    readonly sessionPath: ReadonlyArray<Session.SessionId>
    readonly agent: string
    /** Null: nobody is known. Tools that keep things per user fail with a sentence that says so. */
    readonly user: string | null
    readonly turn: number
    readonly step: number
    readonly toolCallId: Session.ToolCallId
    /** Digest of session and call, the same for every attempt: the key of an Idempotent effect. */
    readonly callKey: string
    /** What marked the session when it asked for this; none where a person asks. */
    readonly labels: ReadonlyArray<Session.Label>
    readonly workspaceRoot: string
    /** Configuration without secrets. */
    readonly config: Readonly<Record<string, unknown>>
    /** What a human approved beyond the session's own reach, for this call alone. */
    readonly grants: ReadonlyArray<Grant>
  }
>()("@bough/tool/Invocation") {}

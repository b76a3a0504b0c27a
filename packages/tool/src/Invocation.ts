/** The caller of a tool: an immutable snapshot, made for every call. Every tool has it. */
import type { Session } from "@bough/protocol"
import * as Context from "effect/Context"
import type { Fact } from "./Fact.ts"
import type { Grant } from "./Grant.ts"

export class Invocation extends Context.Service<
  Invocation,
  {
    readonly sessionId: Session.SessionId
    /** The ids from the Main down to this session. */
    readonly sessionPath: ReadonlyArray<Session.SessionId>
    readonly agent: string
    /** Null: the user is not known. Tools that store data per user then fail with that reason. */
    readonly user: string | null
    readonly turn: number
    readonly step: number
    readonly toolCallId: Session.ToolCallId
    /** Digest of session and call, the same for every attempt: the key of an Idempotent effect. */
    readonly callKey: string
    /** The labels of the session when the model requested this call; none for a call by a user. */
    readonly labels: ReadonlyArray<Session.Label>
    /** True: a user made this call, outside of any turn. */
    readonly isByUser?: boolean
    readonly workspaceRoot: string
    /** Configuration without secrets. */
    readonly config: Readonly<Record<string, unknown>>
    /** The reach beyond the session's own that a user approved only for this call. */
    readonly grants: ReadonlyArray<Grant>
    /** The tool's own facts with which the call was judged and shown; none while the call is being judged. */
    readonly facts: ReadonlyArray<Fact>
  }
>()("@bough/tool/Invocation") {}

/** Port for requesting approvals. Its adapter records a request before it shows it. */
import type { Approval } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallApproval, Verdict, AssessedCall } from "./Call.ts"
import type { NotRecorded } from "./Ledger.ts"

/** `everyTime`: no rule could cover it. */
export interface Why {
  readonly reason: string
  readonly everyTime: boolean
  /** The text of the rule that "always" would save, if the request alone does not determine it. */
  readonly rule?: string
}

export interface HostQuestion extends Why {
  readonly url: string
  readonly preview: Approval.Preview
}

export class Gate extends Context.Service<
  Gate,
  {
    /**
     * Requests an approval and waits; a pending request of the same call with the same facts is shown again instead of
     * a new one.
     */
    readonly ask: (call: AssessedCall, preview: Approval.Preview, why: Why) => Effect.Effect<Verdict, NotRecorded>
    /**
     * Requests an approval for a host that the running call tries to reach, and waits. It returns at once if no
     * approver is available: a command cannot be parked. Absent: no approver can be asked.
     */
    readonly askHost?: (call: AssessedCall, asked: HostQuestion) => Effect.Effect<Verdict, NotRecorded>
    /** Closes an approval unused because the approved facts have changed. */
    readonly lapse: (approved: CallApproval, reason: string) => Effect.Effect<void, NotRecorded>
  }
>()("@bough/dispatch/Gate") {}

type OfTheCall = "toolCallId" | "tool" | "version" | "tier" | "arguments" | "argumentsDigest" | "opensHost"

/** The pending request of this call. */
export const requestOf = (call: AssessedCall, parts: Omit<Approval.Request, OfTheCall>): Approval.Request => ({
  toolCallId: call.toolCallId,
  tool: call.tool.name,
  version: call.tool.version,
  tier: call.tier,
  arguments: call.canonicalArguments,
  argumentsDigest: call.argumentsDigest,
  ...(call.newHost === null ? {} : { opensHost: call.newHost.host }),
  ...parts
})

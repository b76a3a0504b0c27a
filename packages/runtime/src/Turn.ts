/** One user-to-agent cycle of a session. */
import type { Approval, Usage } from "@bough/protocol"

/**
 * How a turn ended. `completed`: the model asked for nothing more. `suspended`: calls wait for an approval that nobody
 * could give. `stopped`: a step limit, a repeated call, arguments wrong three times, or a cancel; `reason` says which.
 * `spent`: the cost limit.
 */
export type Status = "completed" | "suspended" | "stopped" | "spent"

export interface TurnResult {
  readonly status: Status
  /** One sentence; "" when completed. */
  readonly reason: string
  /** What the model said last. */
  readonly text: string
  /** Of this turn. */
  readonly usage: Usage.Usage
  readonly pending: ReadonlyArray<Approval.Request>
}

/** Whether a call may go ahead, is asked about, or is refused: deny > ask > allow. Pure. */
import type { Rule } from "./Rule.ts"

/** What answers an ask that no rule answers. `allow` answers System asks only: Elevated needs a person. */
export type Approve = "ask" | "deny" | "allow"

export interface Policy {
  readonly rules: ReadonlyArray<Rule>
  readonly approve: Approve
}

/** An approval as JSON, for `--format json`. */
import type * as PendingApprovals from "@bough/host/approval/PendingApprovals"
import { Approval, Entry, Session } from "@bough/protocol"
import * as Schema from "effect/Schema"

const Row = Schema.Struct({
  request: Approval.Request,
  askedBy: Schema.Array(
    Schema.Struct({
      sessionId: Session.SessionId,
      kind: Session.Kind,
      title: Schema.String,
      workspaceRoot: Schema.String
    })
  ),
  answered: Schema.NullOr(
    Schema.Struct({ decision: Entry.Body.cases.ApprovalDecided.fields.decision, principal: Schema.String })
  ),
  expired: Schema.Boolean
})
const encode = Schema.encodeSync(Row)

export const toJson = ({ answered, askedBy, ...rest }: PendingApprovals.PendingApproval) =>
  encode({
    ...rest,
    answered: answered === null ? null : { decision: answered.decision, principal: answered.principal },
    askedBy: askedBy.map(({ kind, sessionId, title, workspaceRoot }) => ({ sessionId, kind, title, workspaceRoot }))
  })

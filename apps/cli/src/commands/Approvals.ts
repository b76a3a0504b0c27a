/** `approvals list` and `show`: what waits for a person, in every conversation, whichever process it belongs to. */
import { Approval, Entry, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { plain } from "@bough/tui/theme/Style"
import type { Program } from "../Program.ts"
import { text } from "@bough/tui/text/SafeText"
import * as ApprovalText from "../format/ApprovalText.ts"
import * as DecisionText from "../format/DecisionText.ts"
import type * as Listing from "../format/Listing.ts"
import * as Lists from "../io/Lists.ts"
import type { ListFormat } from "../command-line/Options.ts"
import * as PendingApprovals from "@bough/host/approval/PendingApprovals"
import * as RequestingSessions from "@bough/host/approval/RequestingSessions"
import { SessionStore } from "@bough/runtime"
import { withStore } from "../session/WithStore.ts"

export const list = Effect.fnUntraced(function* (program: Program, format: ListFormat) {
  const { name, output } = program
  const pending = yield* withStore(program, PendingApprovals.list())
  if (format === "json") return output.json(pending.map(jsonOf), 2)
  if (pending.length === 0) return output.note("nothing waits for an approval")
  Lists.print(program, pending.map(listedOf))
  output.note(`${name} approvals show ID shows one whole; approve ID and deny ID decide it`)
})

const listedOf = ({ answered, askedBy, expired, request }: PendingApprovals.PendingApproval): Listing.Listed => {
  const state =
    answered !== null
      ? `${DecisionText.formatDecision(answered.decision)} by ${answered.principal}, not used yet`
      : expired
        ? "expired"
        : "waits"
  const title = `${request.tool} ${request.arguments}`
  const why = `${request.tier}: ${request.reason}`
  const where = ApprovalText.whereabouts(askedBy)
  return {
    line: `${request.approvalId}  ${state}  ${title} (${why})  ${where}`,
    title,
    facts: [state, why, where, request.approvalId]
  }
}

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

const jsonOf = ({ answered, askedBy, ...rest }: PendingApprovals.PendingApproval) =>
  encode({
    ...rest,
    answered: answered === null ? null : { decision: answered.decision, principal: answered.principal },
    askedBy: askedBy.map(({ kind, sessionId, title, workspaceRoot }) => ({ sessionId, kind, title, workspaceRoot }))
  })

export const show = Effect.fnUntraced(function* (
  program: Program,
  { format, id }: { readonly id: string; readonly format: ListFormat }
) {
  const { output } = program
  const shown = yield* withStore(
    program,
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const { request } = yield* PendingApprovals.byId(id)
      const answered = yield* PendingApprovals.findDecision(request)
      const askedBy = yield* RequestingSessions.load(store, request.sessionPath)
      return { request, askedBy, answered, expired: (yield* store.now) >= request.expiresAtMillis }
    })
  )
  if (format === "json") return output.json(jsonOf(shown), 2)
  const { columns, rows, style } = ApprovalText.screenOf(output)
  const everything = ApprovalText.everything(shown, null, {
    columns,
    rows,
    style: output.stdoutIsTerminal ? style : plain
  })
  for (const row of everything) output.answerEscaped(text`${row}\n`)
  if (shown.answered !== null) {
    output.note(`decided by ${shown.answered.principal}: ${DecisionText.formatDecision(shown.answered.decision)}`)
  } else if (shown.expired) output.note("its deadline has passed")
})

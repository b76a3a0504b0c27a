/** `approvals show`: one approval, what it covers and its outcome. */
import * as PendingApprovals from "@bough/host/approval/PendingApprovals"
import * as RequestingSessions from "@bough/host/approval/RequestingSessions"
import { SessionStore } from "@bough/runtime"
import { text } from "@bough/tui/text/SafeText"
import { plain } from "@bough/tui/theme/Style"
import * as Effect from "effect/Effect"
import * as ApprovalJson from "../../approval/ApprovalJson.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import * as ApprovalFlags from "../../command-line/flags/ApprovalFlags.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as ApprovalText from "../../format/ApprovalText.ts"
import * as DecisionText from "../../format/DecisionText.ts"
import type { Program } from "../../Program.ts"
import { withStore } from "../../session/WithStore.ts"

const parameters = { id: ApprovalFlags.approvalId, format: ListFlags.format }

const show = Effect.fnUntraced(function* (
  program: Program,
  _: Common,
  { format, id }: CommandOptions<typeof parameters>
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
  if (format === "json") return output.json(ApprovalJson.toJson(shown), 2)
  const { columns, rows, style } = ApprovalText.screenOf(output)
  const everything = ApprovalText.allFacts(shown, null, {
    columns,
    rows,
    style: output.stdoutIsTerminal ? style : plain
  })
  for (const row of everything) output.answerEscaped(text`${row}\n`)
  if (shown.answered !== null) {
    output.note(`decided by ${shown.answered.principal}: ${DecisionText.formatDecision(shown.answered.decision)}`)
  } else if (shown.expired) output.note(`approval ${shown.request.approvalId} has expired`)
})

export const command = declare({ parameters, run: show })

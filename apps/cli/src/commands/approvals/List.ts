/** `approvals list`: the pending approvals of every conversation on this machine, oldest first. */
import * as PendingApprovals from "@bough/host/approval/PendingApprovals"
import * as Effect from "effect/Effect"
import * as ApprovalJson from "../../approval/ApprovalJson.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as ApprovalText from "../../format/ApprovalText.ts"
import * as DecisionText from "../../format/DecisionText.ts"
import type * as Listing from "../../format/Listing.ts"
import * as Lists from "../../io/Lists.ts"
import type { Program } from "../../Program.ts"
import { withStore } from "../../session/WithStore.ts"

const parameters = { format: ListFlags.format }

const list = Effect.fnUntraced(function* (program: Program, _: Common, { format }: CommandOptions<typeof parameters>) {
  const { name, output } = program
  const pending = yield* withStore(program, PendingApprovals.list())
  if (format === "json") return output.json(pending.map(ApprovalJson.toJson), 2)
  if (pending.length === 0) return output.note("no approvals are pending")
  Lists.print(program, pending.map(listedOf))
  output.note(
    `"${name} approvals show ID" shows one in full; "${name} approvals approve ID" or "${name} approvals deny ID" decides it`
  )
})

const listedOf = ({ answered, askedBy, expired, request }: PendingApprovals.PendingApproval): Listing.ListItem => {
  const state =
    answered !== null
      ? `${DecisionText.formatDecision(answered.decision)} by ${answered.principal}, not used yet`
      : expired
        ? "expired"
        : "pending"
  const title = `${request.tool} ${request.arguments}`
  const reasonText = `${request.tier}: ${request.reason}`
  const path = ApprovalText.sessionPathText(askedBy)
  return {
    line: `${request.approvalId}  ${state}  ${title} (${reasonText})  ${path}`,
    title,
    facts: [state, reasonText, path, request.approvalId]
  }
}

export const command = declare({ parameters, run: list })

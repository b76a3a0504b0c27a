/** `approvals approve`: approves a call from any terminal, once or with a rule for calls like it. */
import { offeredRule } from "@bough/host/approval/OfferedRule"
import * as PendingApprovals from "@bough/host/approval/PendingApprovals"
import { registryOf } from "@bough/host/session/KindTools"
import type { Approval } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { text } from "@bough/tui/text/SafeText"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { decide } from "../../approval/decide.ts"
import { usage } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import * as ApprovalFlags from "../../command-line/flags/ApprovalFlags.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import * as ApprovalText from "../../format/ApprovalText.ts"
import type { Program } from "../../Program.ts"

const parameters = {
  id: ApprovalFlags.approvalId,
  always: Shapes.optional(
    Flag.Literals("always", ["session", "project", "user"]).pipe(
      Flag.withDescription(
        "Also save the rule that is shown: for this session and its agents, for this folder, or for all folders"
      )
    )
  )
}

const approve = (program: Program, _: Common, { always, id }: CommandOptions<typeof parameters>) =>
  decide(program, id, (request) =>
    always === null
      ? Effect.succeed({ action: text`allow it`, decision: { _tag: "Approved", rule: null }, rule: null })
      : Effect.map(ruleOf(program, request), (rule) => ({
          action: text`allow it, and always ${reach[always]}`,
          decision: ApprovalText.approvedAlways(rule, always),
          rule
        }))
  )

const reach = {
  session: "in this session and its agents",
  project: "in this folder",
  user: "in all folders"
} as const

/** Returns the rule that `--always` makes from the call. */
const ruleOf = Effect.fnUntraced(function* ({ packs }: Program, request: Approval.Request) {
  const store = yield* SessionStore.SessionStore
  const { workspaceRoot } = yield* store.session(PendingApprovals.treeOf(request))
  const rule = offeredRule({ registry: registryOf(packs), workspaceRoot }, request)
  return rule === null
    ? yield* usage("no rule can allow this call: it needs an approval every time", "omit --always")
    : rule
})

export const command = declare({ parameters, run: approve })

/** `approvals deny`: denies a call from any terminal, with a reason for the agent. */
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import { decide } from "../../approval/decide.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import * as ApprovalFlags from "../../command-line/flags/ApprovalFlags.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import type { Program } from "../../Program.ts"

const parameters = {
  id: ApprovalFlags.approvalId,
  words: Shapes.optionalText("words", "TEXT", "Reason for the denial, shown to the agent")
}

const deny = (program: Program, _: Common, { id, words }: CommandOptions<typeof parameters>) =>
  decide(program, id, () => Effect.succeed({ action: text`deny it`, decision: { _tag: "Denied", words }, rule: null }))

export const command = declare({ parameters, run: deny })

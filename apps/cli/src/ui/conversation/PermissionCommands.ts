/** `/permissions`: lists the rules in force, adds one for this folder, or removes one. */
import { SystemError } from "@bough/disk"
import * as SavedRules from "@bough/host/rules/SavedRules"
import * as KindTools from "@bough/host/session/KindTools"
import type { Rule } from "@bough/policy"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type CliFailure, failure, usage } from "../../CliFailure.ts"
import type { CommandEffect, ConversationContext, Transition } from "./ConversationContext.ts"
import type { SessionWithModel } from "./OpenedSession.ts"
import { runProgram } from "./ProgramCommands.ts"

export const permissions = (context: ConversationContext, _: SessionWithModel, argument: string): CommandEffect => {
  if (argument === "") return runProgram(context, ["policy", "list"])
  const [, verb = "", rest = ""] = /^(\S+)\s+([^]+)$/u.exec(argument) ?? []
  if (verb === "add") return add(context, rest.trim())
  if (verb === "remove") return runProgram(context, ["policy", "revoke", rest.trim()])
  return usage(
    "expected /permissions, /permissions add RULE or /permissions remove ID",
    'for example: /permissions add run_command argv=["npm","test"]'
  )
}

const verbs: Readonly<Record<Rule.Effect, string>> = { allow: "allowed", ask: "asked about", deny: "denied" }

/** Adds a rule for this folder, which counts from the next call on. */
const add = ({ ui, program, settings }: ConversationContext, rule: string): CommandEffect =>
  Effect.gen(function* (): Effect.gen.Return<Transition, CliFailure> {
    const {
      dataDirectory,
      environment,
      workspace: { root: workspaceRoot }
    } = settings
    const world = { registry: KindTools.ruledTools(program.packs), workspaceRoot }
    const saved = {
      rule,
      scope: "project",
      principal: environment.user ?? "terminal",
      workspaceRoot,
      keptAtMillis: Date.now()
    } as const
    const checked = SavedRules.toRule({ ...saved, v: 1, id: "" }, world)
    if (Result.isFailure(checked))
      return yield* usage(checked.failure.message, `"${program.name} policy --help" describes rules`)
    yield* Effect.try({
      try: () => SavedRules.saveRule(dataDirectory, saved),
      catch: (cause) => failure(`cannot save the rule: ${SystemError.reason(cause)}`, "", cause)
    })
    ui.note(
      `${verbs[checked.success.effect]} in this folder: ${rule} (/permissions remove ${SavedRules.idOf(workspaceRoot, rule)} removes it)`
    )
    return "stay"
  })

/** The hooks of a session: they run one after another, and the strictest answer counts. Why: adr/0112-hooks.md. */
import type { Session } from "@bough/protocol"
import type { Hooks } from "@bough/runtime"
import type { Sandbox } from "@bough/sandbox"
import * as Effect from "effect/Effect"
import type { Settings } from "../config/Settings.ts"
import { type Event, type Hook, matches } from "./ConfiguredHooks.ts"
import type { HookReply } from "./HookOutput.ts"

// Loaded with the first hook that runs: most sessions have none.
const runner = Effect.promise(() => import("./RunHook.ts"))

const strictness = { none: 0, ask: 1, deny: 2 } as const
const maxTextLength = 64 * 1024

type Answer = Hooks.HookAnswer

/** Returns the port for the configured hooks; null: none are configured. */
export const make = (settings: Settings, sandbox: Effect.Effect<Sandbox.Sandbox>): Hooks.Hooks | null => {
  const {
    extensions: { hooks },
    workspace: { isTrusted: isFolderTrusted, root: workspaceRoot }
  } = settings
  if (hooks.length === 0) return null
  let openSandbox: Sandbox.Sandbox | null = null
  const labels: ReadonlyArray<Session.Label> = isFolderTrusted ? ["private"] : ["private", "untrusted"]
  const ask = (chosen: ReadonlyArray<Hook>, facts: object): Effect.Effect<Answer> | null =>
    chosen.length === 0
      ? null
      : Effect.gen(function* () {
          const { run } = yield* runner
          const place = (openSandbox ??= yield* sandbox)
          const answers: Array<readonly [Hook, HookReply | string]> = []
          for (const hook of chosen) {
            const input = { event: hook.event, workspaceRoot, ...facts }
            answers.push([hook, yield* run(place, settings, { ...hook, input })])
          }
          return combineAnswers(answers, labels)
        })
  const hooksFor = (event: Event, tool: string | null = null) =>
    hooks.filter((hook) => hook.event === event && (tool === null || matches(hook, tool)))
  const factsOf = ({ arguments: callArguments, tier, tool, toolCallId }: Parameters<Hooks.Hooks["beforeTool"]>[1]) => ({
    toolCallId,
    tool,
    tier,
    arguments: JSON.parse(callArguments) as unknown
  })
  return {
    beforeTool: (session, call) => ask(hooksFor("beforeTool", call.tool), { ...session, ...factsOf(call) }),
    afterTool: (session, call, { isError, text }) =>
      ask(hooksFor("afterTool", call.tool), {
        ...session,
        ...factsOf(call),
        isError,
        result: text.slice(0, maxTextLength)
      }),
    // Not truncated: a hook cannot deny text that it does not see.
    prompt: (session, text) => ask(hooksFor("prompt"), { ...session, text }),
    stop: (session, text) => ask(hooksFor("stop"), { ...session, text: text.slice(0, maxTextLength) }),
    sessionStart: (session) => ask(hooksFor("sessionStart"), session)
  }
}

const combineAnswers = (
  answers: ReadonlyArray<readonly [Hook, HookReply | string]>,
  labels: ReadonlyArray<Session.Label>
): Answer => {
  let strictest: HookReply["effect"] = "none"
  const problems: Array<string> = []
  const context: Array<Answer["context"][number]> = []
  const reasons = { none: [] as Array<string>, ask: [] as Array<string>, deny: [] as Array<string> }
  for (const [{ name, onFailure }, answer] of answers) {
    const effect = typeof answer === "string" ? (onFailure === "deny" ? "deny" : "none") : answer.effect
    if (typeof answer === "string") problems.push(`${name} ${answer}${effect === "deny" ? ", so it denies" : ""}`)
    reasons[effect].push(`${name} ${typeof answer === "string" ? answer : `${verbs[effect]}: ${answer.reason}`}`)
    if (typeof answer !== "string" && answer.context !== "") context.push({ hook: name, text: answer.context })
    if (strictness[effect] > strictness[strictest]) strictest = effect
  }
  return {
    objection: strictest === "none" ? null : { effect: strictest, reason: reasons[strictest].join("; ") },
    context,
    labels,
    problems
  }
}

const verbs: Readonly<Record<HookReply["effect"], string>> = { none: "", ask: "asks", deny: "denies it" }

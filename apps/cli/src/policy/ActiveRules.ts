/** The rules that apply in a workspace, with their scope, origin and author. */
import { SystemError } from "@bough/disk"
import type { RuleExamples } from "@bough/dispatch"
import * as SettingsFile from "@bough/host/config/Settings"
import * as SavedRules from "@bough/host/rules/SavedRules"
import * as KindTools from "@bough/host/session/KindTools"
import { Entry, type Session } from "@bough/protocol"
import { EntryPages, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { failure, type CliFailure } from "../CliFailure.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import type { Program } from "../Program.ts"
import { withStore } from "../session/WithStore.ts"

/** `id` is null for a rule in a file, which is changed only there. */
export interface ActiveRule {
  readonly id: string | null
  readonly scope: "session" | "project" | "user" | "configuration"
  readonly rule: string
  /** The session, the folder or the file that the rule comes from. */
  readonly origin: string
  /** The title of the session that the rule comes from; null: it comes from elsewhere. */
  readonly title: string | null
  readonly principal: string | null
}

/** Returns the rules that were saved with an approval for this folder or for all folders. */
export const readSavedRules = ({
  dataDirectory,
  workspace: { root: workspaceRoot }
}: SettingsFile.Settings): Effect.Effect<SavedRules.FoundRules, CliFailure> =>
  Effect.try({
    try: () => SavedRules.forWorkspace(dataDirectory, workspaceRoot),
    catch: (cause) => failure(`cannot read the rules: ${SystemError.reason(cause)}`, 'run "bough doctor"', cause)
  })

/** Returns the reason why a saved rule is ignored; null: it applies, or only a session can check it. */
export const problemOf = (
  rule: SavedRules.FoundRules["rules"][number],
  world: RuleExamples.ExampleContext
): string | null =>
  SavedRules.isForServer(rule, world)
    ? null
    : Result.match(SavedRules.toRule(rule, world), { onFailure: ({ message }) => message, onSuccess: () => null })

export const all = Effect.fnUntraced(function* (program: Program, common: Common) {
  const overrides = { ...SettingsFile.noOverrides, cwd: common.cwd }
  const settings = yield* SettingsFile.load(program.environment, overrides, null)
  const workspaceRoot = settings.workspace.root
  const { damaged, rules } = yield* readSavedRules(settings)
  const world = { registry: KindTools.ruledTools(program.packs), workspaceRoot }
  const unused = rules.flatMap((rule) => {
    const problem = problemOf(rule, world)
    return problem === null ? [] : [{ id: rule.id, problem }]
  })
  const configured = settings.policy.rules.map(({ effect, from, text }): ActiveRule => ({
    id: null,
    scope: "configuration",
    rule: `${effect} ${text}`,
    origin: from,
    title: null,
    principal: null
  }))
  const savedRules = rules.map(({ id, principal, rule, scope, workspaceRoot: root }): ActiveRule => ({
    id,
    scope,
    rule,
    origin: root ?? "all folders",
    title: null,
    principal
  }))
  return {
    damaged,
    unused,
    settings,
    rules: [...configured, ...savedRules, ...(yield* withStore(program, inSessions(workspaceRoot)))]
  }
})

/** The number of conversations that are searched, newest first. */
const searched = 50

const inSessions = Effect.fnUntraced(function* (workspaceRoot: string) {
  const store = yield* SessionStore.SessionStore
  const listed: Array<ActiveRule> = []
  for (const { sessionId, title } of yield* store.list({ workspaceRoot, limit: searched })) {
    const rules = new Map<string, string>()
    yield* EntryPages.forEach(store, sessionId, ({ body }) => take(rules, body))
    for (const row of yield* store.inbox(sessionId)) {
      if (row.command._tag === "RevokeRule") rules.delete(row.command.rule)
    }
    listed.push(...Array.from(rules, ([rule, principal]) => ofSession({ sessionId, title }, rule, principal)))
  }
  return listed
})

const ofSession = (
  { sessionId, title }: Pick<Session.Summary, "sessionId" | "title">,
  rule: string,
  principal: string
): ActiveRule => ({
  id: SavedRules.idOf(sessionId, rule),
  scope: "session",
  rule,
  origin: sessionId,
  title,
  principal
})

const take = (rules: Map<string, string>, body: Entry.Body): void => {
  switch (body._tag) {
    case "RuleGiven":
      rules.set(body.rule, body.principal)
      return
    case "RuleRevoked":
      rules.delete(body.rule)
      return
    case "ApprovalDecided": {
      if (body.decision._tag !== "Approved") return
      const { rule, scope = "session" } = body.decision
      if (rule !== null && scope === "session") rules.set(rule, body.principal)
      return
    }
    case "SessionOpened":
    case "UserMessage":
    case "ContextAdded":
    case "StepStarted":
    case "ModelReplied":
    case "ApprovalAsked":
    case "CallStarted":
    case "CallDeferred":
    case "CallEnded":
    case "ChildSpawned":
    case "ChildEnded":
    case "CommandEnded":
    case "Compacted":
    case "SamplingStarted":
    case "SamplingEnded":
    case "StateChanged":
    case "SessionEnded":
      return
    default:
      return Entry.assertHandled(body)
  }
}

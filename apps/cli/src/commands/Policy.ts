/** `policy`: the rules that hold in a workspace, with their scope and who made them; those that people gave are revoked. */
import { SystemError } from "@bough/disk"
import type { Entry, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import * as SessionAgent from "@bough/host/session/SessionAgent"
import * as SettingsFile from "@bough/host/config/Settings"
import type { Program } from "../Program.ts"
import * as SavedRules from "@bough/host/rules/SavedRules"
import { failed, type CliFailure, usage } from "../CliFailure.ts"
import * as IdPrefix from "@bough/host/session/IdPrefix"
import * as Lists from "../io/Lists.ts"
import type { Common, ListFormat } from "../command-line/Options.ts"
import { withStore } from "../session/WithStore.ts"

/** `id` null: it stands in a file, which is where it is changed. */
interface Listed {
  readonly id: string | null
  readonly scope: "session" | "project" | "user" | "configuration"
  readonly rule: string
  /** The session, the folder or the file. */
  readonly origin: string
  readonly principal: string | null
}

export const list = Effect.fnUntraced(function* (program: Program, common: Common, format: ListFormat) {
  const { damaged, rules, unused } = yield* all(program, common)
  const { output } = program
  for (const path of damaged) output.note(`${path} holds no rule and allows nothing`)
  for (const { id, problem } of unused) output.note(`${id} allows nothing: ${problem}`)
  if (format === "json") return output.json(rules, 2)
  if (rules.length === 0) output.note("no rules: what asks by default is asked about")
  Lists.print(
    program,
    rules.map(({ id, origin, principal, rule, scope }) => {
      const by = principal === null ? "" : `, given by ${principal}`
      const from = `${origin}${by}`
      return {
        line: `${id ?? "-".padEnd(16)}  ${scope}  ${rule}  (${from})`,
        title: rule,
        facts: [scope, from, ...(id === null ? [] : [id])]
      }
    })
  )
})

/** Those of a file have no id. */
const given: IdPrefix.IdListing<Listed> = {
  idOf: ({ id }) => id ?? "",
  plural: "rules",
  lists: "bough policy list names them"
}

export const revoke = Effect.fnUntraced(function* (program: Program, common: Common, id: string) {
  const { rules, settings } = yield* all(program, common)
  const found = yield* IdPrefix.findUnique(id, rules, given)
  if (found === null || found.id === null) {
    return yield* usage(`no rule ${id}`, `${program.name} policy list names them; those of a file are changed there`)
  }
  yield* found.scope === "session"
    ? withStore(program, revokeInSession(program, found))
    : forget(settings.dataDirectory, found.id)
  program.output.note(`revoked: ${found.rule}`)
})

/** A process that has the session open acts on it within a second, the next one at once. */
const revokeInSession = Effect.fnUntraced(function* ({ environment }: Program, { origin, rule }: Listed) {
  const store = yield* SessionStore.SessionStore
  const { treeId } = yield* store.session(origin)
  yield* store.submit({
    treeId,
    dedupeKey: `revoke:${randomUUID()}`,
    command: { _tag: "RevokeRule", rule },
    principal: environment.user ?? "terminal"
  })
})

const forget = (dataDirectory: string, id: string): Effect.Effect<void, CliFailure> =>
  Effect.try({
    try: () => SavedRules.remove(dataDirectory, id),
    catch: (cause) => failed(`cannot revoke ${id}: ${SystemError.reason(cause)}`, "bough doctor says more", cause)
  })

/** Those that people keep for this folder, or for all. */
export const saved = ({
  dataDirectory,
  workspaceRoot
}: SettingsFile.Settings): Effect.Effect<SavedRules.FoundRules, CliFailure> =>
  Effect.try({
    try: () => SavedRules.forWorkspace(dataDirectory, workspaceRoot),
    catch: (cause) => failed(`cannot read the rules: ${SystemError.reason(cause)}`, "bough doctor says more", cause)
  })

const all = Effect.fnUntraced(function* (program: Program, common: Common) {
  const given = { ...SettingsFile.noOverrides, cwd: common.cwd }
  const settings = yield* SettingsFile.load(program.environment, given, null)
  const { workspaceRoot } = settings
  const { damaged, rules } = yield* saved(settings)
  const world = { registry: SessionAgent.ruledTools(program.packs), workspaceRoot }
  const unused = rules.flatMap((rule) =>
    Result.match(SavedRules.toRule(rule, world), {
      onFailure: ({ message }) => [{ id: rule.id, problem: message }],
      onSuccess: () => []
    })
  )
  const configured = settings.rules.map(({ effect, from, text }): Listed => ({
    id: null,
    scope: "configuration",
    rule: `${effect} ${text}`,
    origin: from,
    principal: null
  }))
  const kept = rules.map(({ id, principal, rule, scope, workspaceRoot: root }): Listed => ({
    id,
    scope,
    rule,
    origin: root ?? "all folders",
    principal
  }))
  return {
    damaged,
    unused,
    settings,
    rules: [...configured, ...kept, ...(yield* withStore(program, inSessions(workspaceRoot)))]
  }
})

/** Conversations that are looked through, the newest first. */
const searched = 50
const pageSize = 256

const inSessions = Effect.fnUntraced(function* (workspaceRoot: string) {
  const store = yield* SessionStore.SessionStore
  const listed: Array<Listed> = []
  for (const { sessionId } of yield* store.list({ workspaceRoot, limit: searched })) {
    const given = new Map<string, string>()
    for (let from = 0, more = true; more; from += pageSize) {
      const page = yield* store.entries(sessionId, from, pageSize)
      for (const { body } of page) take(given, body)
      more = page.length === pageSize
    }
    for (const row of yield* store.inbox(sessionId)) {
      if (row.command._tag === "RevokeRule") given.delete(row.command.rule)
    }
    listed.push(...Array.from(given, ([rule, principal]) => ofSession(sessionId, rule, principal)))
  }
  return listed
})

const ofSession = (sessionId: Session.SessionId, rule: string, principal: string): Listed => ({
  id: SavedRules.idOf(sessionId, rule),
  scope: "session",
  rule,
  origin: sessionId,
  principal
})

const take = (given: Map<string, string>, body: Entry.Body): void => {
  if (body._tag === "RuleGiven") given.set(body.rule, body.principal)
  if (body._tag === "RuleRevoked") given.delete(body.rule)
  if (body._tag !== "ApprovalDecided" || body.decision._tag !== "Approved") return
  const { rule, scope = "session" } = body.decision
  if (rule !== null && scope === "session") given.set(rule, body.principal)
}

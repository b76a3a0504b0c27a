/** The agents and models that sessions can have: those that are defined, and those that sessions were created with. */
import { AgentHost } from "@bough/host"
import * as ModelChoice from "@bough/host/model/ModelChoice"
import * as WorkspaceAgents from "@bough/host/session/WorkspaceAgents"
import { Registry } from "@bough/models"
import type { Session } from "@bough/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { UserHosts } from "./UserHosts.ts"

const ModelName = Schema.NonEmptyString.check(Schema.isMaxLength(200), Schema.isPattern(/^[^\s/]+\/\S+$/u))

export const AgentSettings = Schema.Struct({
  model: Schema.optionalKey(ModelName.annotate({ description: "The model of its sessions, as provider/model" }))
})

export const CatalogSettings = {
  agents: Schema.optionalKey(
    Schema.Record(Schema.String.check(Schema.isPattern(/^[a-z0-9][a-z0-9._-]{0,62}$/u)), AgentSettings).annotate({
      description: "Agents in addition to bough, by name"
    })
  ),
  models: Schema.optionalKey(
    Schema.Array(ModelName).annotate({
      description: "The models that users may choose; default: the default one and those of configured providers"
    })
  )
}

export interface CatalogOptions {
  readonly agents?: Readonly<Record<string, typeof AgentSettings.Type>>
  readonly models?: ReadonlyArray<string>
}

export interface CatalogAgent {
  readonly name: string
  readonly description: string
  /** `gateway`: the agent differs from the default agent only in its model. */
  readonly from: "gateway" | "configuration" | "workspace"
  /** The model; null: the configuration's default. */
  readonly model: string | null
}

export interface CatalogModel {
  readonly name: string
  readonly reason: string
  readonly isDefault: boolean
}

/** The agent of sessions whose request names no agent. */
export const defaultAgent = "bough"

export class AgentCatalog extends Context.Service<
  AgentCatalog,
  {
    /** The agents that only the gateway's configuration names, without a definition. */
    readonly named: ReadonlySet<string>
    /** The agents that a user's sessions can have, including those that the files of a workspace define. */
    readonly agents: (user: string, workspacePath: string | null) => Effect.Effect<ReadonlyArray<CatalogAgent>>
    /** Records that the user trusts the current definition of an agent of a workspace. */
    readonly trust: (user: string, workspacePath: string, agent: string) => Effect.Effect<void>
    /**
     * Returns a sentence if the session's agent is no longer defined, or if its file changed since it was trusted. Such
     * a session does not run, because it would have every tool. Null: its agent is defined.
     */
    readonly missing: (session: Session.Summary) => Effect.Effect<string | null>
    /** The models that a user may choose, the default one first. */
    readonly models: (user: string) => Effect.Effect<ReadonlyArray<CatalogModel>>
    /** Records the model of a new tree; only the first record counts. */
    readonly choose: (treeId: Session.SessionId, model: string) => Effect.Effect<void>
    /** Gives a fork the model of its original. */
    readonly copy: (from: Session.SessionId, to: Session.SessionId) => Effect.Effect<void>
    readonly forget: (treeId: Session.SessionId) => Effect.Effect<void>
    /** Returns the model of a session; null: the default one. */
    readonly modelOf: (session: Pick<Session.Summary, "treeId" | "agent">) => Effect.Effect<string | null>
  }
>()("@bough/gateway/AgentCatalog") {}

const make = (options: CatalogOptions) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const hostOf = yield* UserHosts
    const named = new Map<string, typeof AgentSettings.Type>([
      [defaultAgent, {}],
      ...Object.entries(options.agents ?? {})
    ])
    const modelNamed = (name: string): string | null => named.get(name)?.model ?? null

    const agents = Effect.fnUntraced(function* (user: string, workspacePath: string | null) {
      const host = hostOf(user)
      const settings = yield* AgentHost.settings(host, { confined: true })
      const found = new Map<string, CatalogAgent>()
      for (const name of named.keys())
        found.set(name, { name, description: descriptionNamed(name), model: modelNamed(name), from: "gateway" })
      for (const { description, model, name } of settings.extensions.agents)
        found.set(name, { name, description, model: modelNamed(name) ?? model, from: "configuration" })
      const local = workspacePath === null ? [] : yield* WorkspaceAgents.list(host, workspacePath)
      for (const { description, model, name } of local)
        if (!found.has(name)) found.set(name, { name, description, model, from: "workspace" })
      return [...found.values()]
    }, Effect.orDie)

    const missing = Effect.fnUntraced(function* ({ agent, kind, user, workspaceRoot }: Session.Summary) {
      if (named.has(agent) || kind !== "Main" || user === null) return null
      const settings = yield* AgentHost.settings(hostOf(user), { confined: true, cwd: workspaceRoot })
      if (settings.extensions.agents.some(({ name }) => name === agent)) return null
      return `the agent ${agent} of this session is not defined now, or its file has changed since the session was created; restore it, or create a new session`
    }, Effect.orDie)

    const models = Effect.fnUntraced(function* (user: string) {
      const settings = yield* AgentHost.settings(hostOf(user), { confined: true })
      const chosen = yield* ModelChoice.fromSettings(settings)
      const configured =
        options.models?.map((name) => ({ name, reason: "the operator offers it" })) ??
        Registry.listConfigured(settings.providers.variables)
      return [
        { name: chosen.name, reason: chosen.reason, isDefault: true },
        ...configured
          .filter(({ name }) => name !== chosen.name)
          .map(({ name, reason }) => ({ name, reason, isDefault: false }))
      ]
    }, Effect.orDie)

    const rowOf = (treeId: string) =>
      Effect.map(
        sql<{ readonly model: string }>`SELECT model FROM session_models WHERE tree_id = ${treeId}`,
        ([row]) => row?.model ?? null
      )
    const choose = (treeId: string, model: string) =>
      sql`INSERT INTO session_models ${sql.insert({ tree_id: treeId, model })} ON CONFLICT DO NOTHING`

    return AgentCatalog.of({
      named: new Set(named.keys()),
      agents,
      missing,
      trust: (user, workspacePath, agent) => Effect.orDie(WorkspaceAgents.trust(hostOf(user), workspacePath, agent)),
      models,
      choose: (treeId, model) => Effect.orDie(Effect.asVoid(choose(treeId, model))),
      copy: Effect.fnUntraced(function* (from, to) {
        const model = yield* rowOf(from)
        if (model !== null) yield* choose(to, model)
      }, Effect.orDie),
      forget: (treeId) => Effect.orDie(Effect.asVoid(sql`DELETE FROM session_models WHERE tree_id = ${treeId}`)),
      modelOf: ({ agent, treeId }) =>
        rowOf(treeId).pipe(
          Effect.map((model) => model ?? modelNamed(agent)),
          Effect.orDie
        )
    })
  })

const descriptionNamed = (name: string): string =>
  name === defaultAgent ? "The default agent, without further limits" : `${defaultAgent} with another model`

export const layer = (options: CatalogOptions): Layer.Layer<AgentCatalog, never, SqlClient.SqlClient | UserHosts> =>
  Layer.effect(AgentCatalog, make(options))

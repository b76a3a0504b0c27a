/** The agents and models that sessions can have here: those of the configuration, and what each session was made with. */
import { AgentHost } from "@bough/host"
import * as ModelChoice from "@bough/host/model/ModelChoice"
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
      description: "Agents beside bough, by their names"
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
  /** Null: the default model of the configuration. */
  readonly model: string | null
}

export interface CatalogModel {
  readonly name: string
  readonly reason: string
  readonly isDefault: boolean
}

/** The agent of sessions where the request names none. */
export const defaultAgent = "bough"

export class AgentCatalog extends Context.Service<
  AgentCatalog,
  {
    readonly agents: ReadonlyArray<CatalogAgent>
    /** The models that a user may choose, the default one first. */
    readonly models: (user: string) => Effect.Effect<ReadonlyArray<CatalogModel>>
    /** Records the model that a tree was made with; the first record of it holds. */
    readonly choose: (treeId: Session.SessionId, model: string) => Effect.Effect<void>
    /** Has a fork go on with the model of its original. */
    readonly copy: (from: Session.SessionId, to: Session.SessionId) => Effect.Effect<void>
    readonly forget: (treeId: Session.SessionId) => Effect.Effect<void>
    /** The model that a session runs on, or was made with; null: the default one. */
    readonly modelOf: (session: Pick<Session.Summary, "treeId" | "agent">) => Effect.Effect<string | null>
  }
>()("@bough/gateway/AgentCatalog") {}

const make = (options: CatalogOptions) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const hostOf = yield* UserHosts
    const named = Object.entries(options.agents ?? {}).filter(([name]) => name !== defaultAgent)
    const agents: ReadonlyArray<CatalogAgent> = [
      { name: defaultAgent, model: options.agents?.[defaultAgent]?.model ?? null },
      ...named.map(([name, { model = null }]) => ({ name, model }))
    ]

    const models = Effect.fnUntraced(function* (user: string) {
      const settings = yield* AgentHost.settings(hostOf(user), { confined: true })
      const chosen = yield* ModelChoice.fromSettings(settings)
      const configured =
        options.models?.map((name) => ({ name, reason: "the operator offers it" })) ??
        Registry.configured(settings.providerVariables)
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
      agents,
      models,
      choose: (treeId, model) => Effect.orDie(Effect.asVoid(choose(treeId, model))),
      copy: Effect.fnUntraced(function* (from, to) {
        const model = yield* rowOf(from)
        if (model !== null) yield* choose(to, model)
      }, Effect.orDie),
      forget: (treeId) => Effect.orDie(Effect.asVoid(sql`DELETE FROM session_models WHERE tree_id = ${treeId}`)),
      modelOf: ({ agent, treeId }) =>
        rowOf(treeId).pipe(
          Effect.map((model) => model ?? agents.find(({ name }) => name === agent)?.model ?? null),
          Effect.orDie
        )
    })
  })

export const layer = (options: CatalogOptions): Layer.Layer<AgentCatalog, never, SqlClient.SqlClient | UserHosts> =>
  Layer.effect(AgentCatalog, make(options))

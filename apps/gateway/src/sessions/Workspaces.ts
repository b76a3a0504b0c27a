/** The folders that sessions work in: below one root a tenant, each of one user. */
import { Directory } from "@bough/disk"
import type { Authorization } from "@bough/gateway-api"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { createHash, randomBytes } from "node:crypto"
import { realpathSync } from "node:fs"
import { join, relative, sep } from "node:path"

type Owner = Pick<Authorization.Principal, "tenant" | "user">

export interface Workspace {
  readonly id: string
  readonly path: string
}

export class Workspaces extends Context.Service<
  Workspaces,
  {
    /** Makes an empty workspace; with the same key of the same user it is the same one. */
    readonly create: (owner: Owner, key: string | null) => Effect.Effect<Workspace>
    /** Null: the user has no workspace of that id. */
    readonly find: (owner: Owner, id: string) => Effect.Effect<Workspace | null>
    /** The id of the workspace in that folder; null: it is none of the gateway's. */
    readonly idOf: (path: string) => string | null
  }
>()("@bough/gateway/Workspaces") {}

const idFor = ({ tenant, user }: Owner, key: string | null): string =>
  key === null
    ? `wsp_${randomBytes(12).toString("hex")}`
    : `wsp_${createHash("sha256")
        .update(JSON.stringify([tenant, user, key]))
        .digest("hex")
        .slice(0, 24)}`

const make = (tenantsDirectory: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    Directory.makePrivate(tenantsDirectory)
    const root = realpathSync(tenantsDirectory)
    const pathOf = (tenant: string, id: string) => join(root, tenant, "workspaces", id)

    const find = Effect.fnUntraced(function* ({ tenant, user }: Owner, id: string) {
      const rows = yield* sql`
        SELECT id FROM workspaces WHERE id = ${id} AND tenant = ${tenant} AND user_name = ${user}`
      if (rows.length === 0) return null
      return { id, path: pathOf(tenant, id) }
    })

    const create = Effect.fnUntraced(function* (owner: Owner, key: string | null) {
      const id = idFor(owner, key)
      const path = pathOf(owner.tenant, id)
      Directory.make(path)
      const nowMillis = yield* Clock.currentTimeMillis
      const row = { id, tenant: owner.tenant, user_name: owner.user, created_at_millis: nowMillis }
      yield* sql`INSERT INTO workspaces ${sql.insert(row)} ON CONFLICT DO NOTHING`
      return { id, path }
    })

    return Workspaces.of({
      create: (owner, key) => Effect.orDie(create(owner, key)),
      find: (owner, id) => Effect.orDie(find(owner, id)),
      idOf: (path) => {
        const [, folder, id, ...rest] = relative(root, path).split(sep)
        return folder === "workspaces" && id !== undefined && rest.length === 0 ? id : null
      }
    })
  })

export const layer = (tenantsDirectory: string): Layer.Layer<Workspaces, never, SqlClient.SqlClient> =>
  Layer.effect(Workspaces, make(tenantsDirectory))

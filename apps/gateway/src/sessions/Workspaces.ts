/** The folders in which sessions work: one root per tenant, and in it folders that each belong to one user. */
import { Directory } from "@bough/disk"
import { type Authorization, Problem, type Workspaces as WorkspacesApi } from "@bough/gateway-api"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type * as Stream from "effect/Stream"
import { createHash, randomBytes } from "node:crypto"
import { realpathSync, renameSync, rmSync } from "node:fs"
import { join, relative, sep } from "node:path"
import type { TenantId } from "../accounts/Principal.ts"
import type { QuotaExceeded } from "../accounts/Quota.ts"
import { Quotas } from "../accounts/Quotas.ts"
import { orDie } from "../accounts/SqlFailure.ts"
import { uploadsDirectory } from "../files/Attachments.ts"
import * as ExpandArchive from "../files/ExpandArchive.ts"
import * as ReceivedFile from "../files/ReceivedFile.ts"

type Owner = Pick<Authorization.Principal, "tenant" | "user">

export interface Workspace extends WorkspacesApi.Workspace {
  readonly path: string
}

/** The end of a page of a list. */
export interface WorkspaceCursor {
  readonly createdAtMillis: number
  readonly id: string
}

type UploadFailure = Problem.Conflict | Problem.PayloadTooLarge | Problem.Unprocessable | QuotaExceeded

export class Workspaces extends Context.Service<
  Workspaces,
  {
    /** Makes an empty workspace; a repetition with the same key of the same user returns the same one. */
    readonly create: (owner: Owner, key: string | null) => Effect.Effect<Workspace>
    /** Like `create`, but counts a session against the tenant's quota first. */
    readonly createForSession: (owner: Owner, key: string | null) => Effect.Effect<Workspace, QuotaExceeded>
    /** Makes a workspace from the files of an archive: all of them, or none. */
    readonly upload: <E>(
      owner: Owner,
      key: string | null,
      content: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<Workspace, E | UploadFailure>
    /** Lists the workspaces of a user, page by page. */
    readonly list: (
      owner: Owner,
      page: { readonly limit: number; readonly after: WorkspaceCursor | null }
    ) => Effect.Effect<ReadonlyArray<Workspace>>
    /** Removes the workspace with its files; the caller ensures that no session works in it. */
    readonly remove: (path: string) => Effect.Effect<void>
    /** Null: the user has no workspace of that id. */
    readonly find: (owner: Owner, id: string) => Effect.Effect<Workspace | null>
    /** The id of the workspace in that folder; null if the gateway did not make the folder. */
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

interface Row {
  readonly id: string
  readonly tenant: string
  readonly user_name: string
  readonly created_at_millis: number | string
  readonly stored_bytes: number | string
  readonly upload_digest: string | null
}

const make = (tenantsDirectory: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const quotas = yield* Quotas
    Directory.makePrivate(tenantsDirectory)
    const root = realpathSync(tenantsDirectory)
    const pathOf = (tenant: string, id: string) => join(root, tenant, "workspaces", id)
    const toWorkspace = (row: Row): Workspace => ({
      id: row.id,
      path: pathOf(row.tenant, row.id),
      uploadedBytes: Number(row.stored_bytes),
      createdAtMillis: Number(row.created_at_millis)
    })
    const idOf = (path: string): string | null => {
      const [, folder, id, ...rest] = relative(root, path).split(sep)
      return folder === "workspaces" && id !== undefined && rest.length === 0 ? id : null
    }

    const find = Effect.fnUntraced(function* ({ tenant, user }: Owner, id: string) {
      const [row] = yield* sql<Row>`
        SELECT * FROM workspaces WHERE id = ${id} AND tenant = ${tenant} AND user_name = ${user}`
      return row === undefined ? null : toWorkspace(row)
    })

    const create = Effect.fnUntraced(function* (owner: Owner, key: string | null) {
      const id = idFor(owner, key)
      Directory.make(pathOf(owner.tenant, id))
      const row: Row = {
        id,
        tenant: owner.tenant,
        user_name: owner.user,
        created_at_millis: yield* Clock.currentTimeMillis,
        stored_bytes: 0,
        upload_digest: null
      }
      yield* sql`INSERT INTO workspaces ${sql.insert({ ...row })} ON CONFLICT DO NOTHING`
      return toWorkspace(row)
    })

    // Checks the quota first: a tenant whose session quota is used up gets no folder.
    const createForSession = Effect.fnUntraced(function* (owner: Owner, key: string | null) {
      yield* quotas.take(owner.tenant as TenantId, "sessions", 1)
      return yield* create(owner, key)
    }, sql.withTransaction)

    /** Counts the files, records the workspace and moves it to its final path; a failure undoes all three. */
    const record = Effect.fnUntraced(function* (row: Row, folder: string) {
      const inserted = yield* sql`INSERT INTO workspaces ${sql.insert({ ...row })} ON CONFLICT DO NOTHING RETURNING id`
      if (inserted.length === 0) {
        const [known] = yield* sql<Row>`SELECT * FROM workspaces WHERE id = ${row.id}`
        if (known !== undefined && known.upload_digest === row.upload_digest) return toWorkspace(known)
        return yield* new Problem.Conflict({
          code: "idempotency_key_reused",
          detail: "the key was already used for another archive"
        })
      }
      yield* quotas.take(row.tenant as TenantId, "storage", Number(row.stored_bytes))
      const path = pathOf(row.tenant, row.id)
      Directory.make(join(path, ".."))
      renameSync(folder, path)
      return toWorkspace(row)
    }, sql.withTransaction)

    const upload: Workspaces["Service"]["upload"] = (owner, key, content) =>
      Effect.gen(function* () {
        yield* quotas.require(owner.tenant as TenantId, "storage")
        const { digest, path } = yield* ReceivedFile.receive(content, uploadsDirectory(root, owner.tenant))
        const folder = `${path}.d`
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
        const bytes = yield* ExpandArchive.intoFolder(path, folder)
        const row: Row = {
          id: idFor(owner, key === null ? null : `upload ${key}`),
          tenant: owner.tenant,
          user_name: owner.user,
          created_at_millis: yield* Clock.currentTimeMillis,
          stored_bytes: bytes,
          upload_digest: digest
        }
        return yield* orDie(record(row, folder))
      }).pipe(Effect.scoped)

    const remove = Effect.fnUntraced(function* (path: string) {
      const id = idOf(path)
      if (id === null) return
      yield* sql.withTransaction(
        Effect.gen(function* () {
          const [row] = yield* sql<Row>`DELETE FROM workspaces WHERE id = ${id} RETURNING *`
          if (row !== undefined) yield* quotas.giveBack(row.tenant as TenantId, "storage", Number(row.stored_bytes))
        })
      )
      rmSync(path, { recursive: true, force: true })
    })

    return Workspaces.of({
      create: (owner, key) => Effect.orDie(create(owner, key)),
      createForSession: (owner, key) => orDie(createForSession(owner, key)),
      upload,
      list: ({ tenant, user }, { after, limit }) =>
        sql<Row>`SELECT * FROM workspaces WHERE ${sql.and([
          sql`tenant = ${tenant} AND user_name = ${user}`,
          ...(after === null
            ? []
            : [
                sql`(created_at_millis < ${after.createdAtMillis}
                  OR (created_at_millis = ${after.createdAtMillis} AND id < ${after.id}))`
              ])
        ])} ORDER BY created_at_millis DESC, id DESC LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(toWorkspace)),
          Effect.orDie
        ),
      remove: (path) => Effect.orDie(remove(path)),
      find: (owner, id) => Effect.orDie(find(owner, id)),
      idOf
    })
  })

export const layer = (tenantsDirectory: string): Layer.Layer<Workspaces, never, SqlClient.SqlClient | Quotas> =>
  Layer.effect(Workspaces, make(tenantsDirectory))

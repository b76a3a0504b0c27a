/** Files that users attached to their sessions: rows of the gateway's database, bytes below the tenant's folder. */
import { Directory } from "@bough/disk"
import { type Attachments as AttachmentsApi, type Authorization, Problem } from "@bough/gateway-api"
import { Session } from "@bough/protocol"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type * as Stream from "effect/Stream"
import { createHash, randomBytes } from "node:crypto"
import { renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { TenantId } from "../accounts/Principal.ts"
import type { QuotaExceeded } from "../accounts/Quota.ts"
import { Quotas } from "../accounts/Quotas.ts"
import { orDie } from "../accounts/SqlFailure.ts"
import * as ReceivedFile from "./ReceivedFile.ts"

type Attachment = AttachmentsApi.Attachment
type Owner = Pick<Authorization.Principal, "tenant" | "user">

export interface UploadOptions {
  readonly treeId: Session.SessionId
  readonly name: string
  /**
   * A repeated upload of the same bytes with the same key returns the same attachment; null: each upload makes a new
   * attachment.
   */
  readonly key: string | null
}

/** The position in a list at which a page ends. */
export interface AttachmentLocation {
  readonly createdAtMillis: number
  readonly id: string
}

export interface StoredAttachment extends Attachment {
  readonly path: string
}

export class Attachments extends Context.Service<
  Attachments,
  {
    readonly upload: <E>(
      owner: Owner,
      options: UploadOptions,
      content: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<Attachment, E | Problem.Conflict | Problem.PayloadTooLarge | QuotaExceeded>
    readonly list: (
      treeId: Session.SessionId,
      page: { readonly limit: number; readonly after: AttachmentLocation | null }
    ) => Effect.Effect<ReadonlyArray<Attachment>>
    /** Null: the tree has no attachment of that id. */
    readonly find: (treeId: Session.SessionId, id: string) => Effect.Effect<StoredAttachment | null>
    readonly remove: (treeId: Session.SessionId, id: string) => Effect.Effect<void>
    /** Removes all attachments of a tree and their bytes. */
    readonly removeAll: (treeId: Session.SessionId) => Effect.Effect<void>
    /** Trees that have attachments. */
    readonly trees: Effect.Effect<ReadonlyArray<Session.SessionId>>
  }
>()("@bough/gateway/Attachments") {}

interface Row {
  readonly id: string
  readonly tree_id: string
  readonly tenant: string
  readonly user_name: string
  readonly name: string
  readonly media_type: string
  readonly bytes: number | string
  readonly digest: string
  readonly created_at_millis: number | string
}

const toAttachment = (row: Row): Attachment => ({
  id: row.id,
  treeId: Session.SessionId.make(row.tree_id),
  name: row.name,
  mediaType: row.media_type,
  bytes: Number(row.bytes),
  digest: row.digest,
  createdAtMillis: Number(row.created_at_millis)
})

const idFor = ({ tenant, user }: Owner, { key, treeId }: UploadOptions): string =>
  key === null
    ? `att_${randomBytes(12).toString("hex")}`
    : `att_${createHash("sha256")
        .update(JSON.stringify([tenant, user, treeId, key]))
        .digest("hex")
        .slice(0, 24)}`

const reusedKey = () =>
  new Problem.Conflict({ code: "idempotency_key_reused", detail: "the key was used for another file" })

export const uploadsDirectory = (tenantsDirectory: string, tenant: string): string =>
  join(tenantsDirectory, tenant, "uploads")

const make = (tenantsDirectory: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const quotas = yield* Quotas
    const folderOf = (tenant: string, treeId: string) => join(tenantsDirectory, tenant, "attachments", treeId)
    const pathOf = (row: Pick<Row, "tenant" | "tree_id" | "id">) => join(folderOf(row.tenant, row.tree_id), row.id)

    const rowOf = (treeId: string, id: string) =>
      Effect.map(
        sql<Row>`SELECT * FROM attachments WHERE id = ${id} AND tree_id = ${treeId}`,
        ([row]): Row | null => row ?? null
      )

    /** Counts the file, records it and moves it to its final path; a failure undoes all three. */
    const record = Effect.fnUntraced(function* (row: Row, file: ReceivedFile.ReceivedFile) {
      const tenant = row.tenant as TenantId
      const inserted = yield* sql`INSERT INTO attachments ${sql.insert({ ...row })} ON CONFLICT DO NOTHING RETURNING id`
      if (inserted.length === 0) {
        const known = yield* rowOf(row.tree_id, row.id)
        if (known === null || known.digest !== row.digest || known.name !== row.name) return yield* reusedKey()
        return toAttachment(known)
      }
      yield* quotas.take(tenant, "attachments", 1)
      yield* quotas.take(tenant, "storage", file.bytes)
      const folder = folderOf(row.tenant, row.tree_id)
      Directory.makePrivate(folder)
      renameSync(file.path, pathOf(row))
      Directory.sync(folder)
      return toAttachment(row)
    }, sql.withTransaction)

    const upload: Attachments["Service"]["upload"] = (owner, options, content) =>
      Effect.gen(function* () {
        const tenant = owner.tenant as TenantId
        yield* quotas.require(tenant, "attachments")
        yield* quotas.require(tenant, "storage")
        const file = yield* ReceivedFile.receive(content, uploadsDirectory(tenantsDirectory, owner.tenant))
        const row: Row = {
          id: idFor(owner, options),
          tree_id: options.treeId,
          tenant: owner.tenant,
          user_name: owner.user,
          name: options.name,
          media_type: file.mediaType,
          bytes: file.bytes,
          digest: file.digest,
          created_at_millis: yield* Clock.currentTimeMillis
        }
        return yield* orDie(record(row, file))
      }).pipe(Effect.scoped)

    /** Deletes rows, returns their quota, then removes their files. */
    const take = Effect.fnUntraced(function* (treeId: string, id: string | null) {
      const rows = yield* sql.withTransaction(
        Effect.gen(function* () {
          const removed = yield* sql<Row>`DELETE FROM attachments
            WHERE tree_id = ${treeId} ${id === null ? sql`` : sql`AND id = ${id}`} RETURNING *`
          for (const { bytes, tenant } of removed) {
            yield* quotas.giveBack(tenant as TenantId, "attachments", 1)
            yield* quotas.giveBack(tenant as TenantId, "storage", Number(bytes))
          }
          return removed
        })
      )
      for (const row of rows) rmSync(pathOf(row), { force: true })
      return rows
    }, Effect.orDie)

    return Attachments.of({
      upload,
      list: (treeId, { after, limit }) =>
        sql<Row>`SELECT * FROM attachments WHERE ${sql.and([
          sql`tree_id = ${treeId}`,
          ...(after === null
            ? []
            : [
                sql`(created_at_millis > ${after.createdAtMillis}
                  OR (created_at_millis = ${after.createdAtMillis} AND id > ${after.id}))`
              ])
        ])} ORDER BY created_at_millis, id LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(toAttachment)),
          Effect.orDie
        ),
      find: (treeId, id) =>
        rowOf(treeId, id).pipe(
          Effect.map((row) => (row === null ? null : { ...toAttachment(row), path: pathOf(row) })),
          Effect.orDie
        ),
      remove: (treeId, id) => Effect.asVoid(take(treeId, id)),
      removeAll: (treeId) =>
        Effect.map(take(treeId, null), ([first]) => {
          if (first !== undefined) rmSync(folderOf(first.tenant, first.tree_id), { recursive: true, force: true })
        }),
      trees: Effect.orDie(
        Effect.map(sql<Pick<Row, "tree_id">>`SELECT DISTINCT tree_id FROM attachments`, (rows) =>
          rows.map(({ tree_id }) => Session.SessionId.make(tree_id))
        )
      )
    })
  })

export const layer = (tenantsDirectory: string): Layer.Layer<Attachments, never, SqlClient.SqlClient | Quotas> =>
  Layer.effect(Attachments, make(tenantsDirectory))

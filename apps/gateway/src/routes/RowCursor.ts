/** Pages of rows in the order of their age, continued by an opaque cursor. */
import { Problem } from "@bough/gateway-api"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Cursor = Schema.fromJsonString(Schema.Struct({ createdAtMillis: Schema.Natural, id: Schema.String }))
const decodeCursor = Schema.decodeUnknownEffect(Cursor)

export type RowPosition = typeof Cursor.Type

const encode = ({ createdAtMillis, id }: RowPosition): string =>
  Buffer.from(JSON.stringify({ createdAtMillis, id })).toString("base64url")

export const decode = (text: string): Effect.Effect<RowPosition, Problem.InvalidRequest> =>
  Effect.mapError(
    decodeCursor(Buffer.from(text, "base64url").toString()),
    () => new Problem.InvalidRequest({ detail: "the cursor is not one of this list" })
  )

/** Returns a page; `rows` contains one row more than `limit` if another page follows. */
export const page = <A extends RowPosition>(rows: ReadonlyArray<A>, limit: number) => {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last !== undefined ? encode(last) : null }
}

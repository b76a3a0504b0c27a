/** Pages of lists. */
import * as Schema from "effect/Schema"
import { limits } from "./Limits.ts"

/** How many rows a page has at most. */
export const limit = Schema.optionalKey(
  Schema.FiniteFromString.check(
    Schema.isInt(),
    Schema.isGreaterThanOrEqualTo(1),
    Schema.isLessThanOrEqualTo(limits.pageSize)
  )
)

/** Where the page begins: `next` of the page before. */
export const cursor = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(500)))

/** A page of rows. `next` null: there is no other one. */
export const pageOf = <S extends Schema.Top>(items: S) =>
  Schema.Struct({ items: Schema.Array(items), next: Schema.NullOr(Schema.String) })

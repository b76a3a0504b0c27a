/** Pages of lists. */
import * as Schema from "effect/Schema"
import { limits } from "./Limits.ts"

/** The maximum number of rows of a page. */
export const limit = Schema.optionalKey(
  Schema.FiniteFromString.check(
    Schema.isInt(),
    Schema.isGreaterThanOrEqualTo(1),
    Schema.isLessThanOrEqualTo(limits.pageSize)
  )
)

/** The start of the page: `next` of the previous page. */
export const cursor = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(500)))

/** A page of rows. `next` is null on the last page. */
export const pageOf = <S extends Schema.Top>(items: S) =>
  Schema.Struct({ items: Schema.Array(items), next: Schema.NullOr(Schema.String) })

/**
 * The mark that `Tool.make` leaves on a declaration: which copy of this package made it, with which copy of effect. A
 * program refuses tools of another copy at its start, because such tools would fail later without a clear error.
 */
import * as Schema from "effect/Schema"

/** Registered, so that every copy of this package finds the marks of the others. */
export const key: unique symbol = Symbol.for("@bough/tool/contract") as never

export interface Contract {
  /** The version of the contract, which increases when declarations of older copies could be misread. */
  readonly version: number
  /** The location of this copy, as a URL. */
  readonly place: string
  /** A schema that identifies the copy of effect that this copy of the package uses. */
  readonly schema: Schema.Top
}

/** The mark of this copy of the package: marks are compared by identity. */
export const own: Contract = { version: 1, place: import.meta.url, schema: Schema.String }

/** Returns the mark of a declaration; null if it has no mark. */
export const contractOf = (tool: object): Contract | null => (tool as { readonly [key]?: Contract })[key] ?? null

/** The parts of a declaration, a call or a result that a format cannot express, as a typed list. */

/**
 * - `Name`: the tool has another name there; `ToolNames.restore` gives calls their own name again
 * - `Keyword`: `detail` is a keyword of JSON Schema that the format does not have; the constraint is left out
 * - `Optional`: the argument became a required one that may be null; `StrictSchema.restore` takes the null away
 * - `Literal`: `const` or `enum` became the type of its values
 * - `Reference`: a schema that holds itself became any object, or any value
 * - `Open`: an object of free keys became an object without them, or its tool is not declared as strict
 * - `Type`: the type became a wider one
 * - `Root`: alternatives of the whole arguments became one object of all their fields
 * - `PropertyName`: the provider refuses the name of this argument
 * - `Arguments`: the arguments are no JSON object and became an empty one
 * - `CallId`: the call has no id there; results are tied by name and order
 * - `ErrorFlag`: a failed call shows only by its text
 * - `Media`: an image is left out
 * - `SpecialToken`: a marker of the format inside a text is written with a space
 */
export type LossKind =
  | "Name"
  | "Keyword"
  | "Optional"
  | "Literal"
  | "Reference"
  | "Open"
  | "Type"
  | "Root"
  | "PropertyName"
  | "Arguments"
  | "CallId"
  | "ErrorFlag"
  | "Media"
  | "SpecialToken"

export interface Loss {
  readonly kind: LossKind
  /** The tool or call, and a JSON pointer into its schema: "look/properties/path". */
  readonly at: string
  readonly detail: string
}

/** A value of a format, with what it could not express. */
export interface Written<Value> {
  readonly value: Value
  readonly losses: ReadonlyArray<Loss>
}

/** Collects losses below one place. */
export interface Losses {
  readonly add: (kind: LossKind, at: string, detail: string) => void
  readonly list: ReadonlyArray<Loss>
}

export const collect = (): Losses => {
  const list: Array<Loss> = []
  return { list, add: (kind, at, detail) => void list.push({ kind, at, detail }) }
}

/** One step of a JSON pointer. */
export const below = (at: string, key: string | number): string =>
  `${at}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`

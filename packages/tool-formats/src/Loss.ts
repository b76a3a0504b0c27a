/** The parts of a declaration, a call or a result that a format cannot express, as a typed list. */

/**
 * - `Name`: the tool has another name there; `ToolNames.restore` restores it in calls
 * - `Keyword`: `detail` is a keyword of JSON Schema that the format does not have; the constraint is dropped
 * - `Optional`: the argument became a required one that may be null; `StrictSchema.restore` removes the null
 * - `Literal`: `const` or `enum` became the type of its values
 * - `Reference`: a recursive schema became any object, or any value
 * - `Open`: an object with arbitrary keys became one without them, or its tool is not declared as strict
 * - `Type`: the type became a wider one
 * - `Root`: alternatives of the whole arguments became one object with all their fields
 * - `PropertyName`: the provider rejects the name of this argument
 * - `Arguments`: the arguments are not a JSON object and became an empty one
 * - `Number`: a number in the arguments has more digits than its value keeps
 * - `CallId`: calls have no ids there; results are matched by name and order
 * - `ErrorFlag`: only the text of a result shows that the call failed
 * - `Media`: an image is dropped
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
  | "Number"
  | "CallId"
  | "ErrorFlag"
  | "Media"
  | "SpecialToken"

export interface Loss {
  readonly kind: LossKind
  /** The tool or call, followed by a JSON pointer into its schema: "look/properties/path". */
  readonly at: string
  readonly detail: string
}

/** A value in a format, with the losses of the conversion. */
export interface WriteResult<Value> {
  readonly value: Value
  readonly losses: ReadonlyArray<Loss>
}

/** Collects the losses below one path. */
export interface Losses {
  readonly add: (kind: LossKind, at: string, detail: string) => void
  readonly list: ReadonlyArray<Loss>
}

export const collect = (): Losses => {
  const list: Array<Loss> = []
  return { list, add: (kind, at, detail) => void list.push({ kind, at, detail }) }
}

/** One step of a JSON pointer. */
export const pathBelow = (at: string, key: string | number): string =>
  `${at}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`

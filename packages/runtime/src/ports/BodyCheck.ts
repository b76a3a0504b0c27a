/**
 * Checks that a body can be read back once it is stored. The check is compiled once, as plain functions, from the
 * schema with which entries are read. It runs for every committed entry, and costs less than encoding the entry.
 */
import { type Batch, Canonical, Entry, Session } from "@bough/protocol"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

type Fits = (value: unknown) => boolean

/** Returns the reason why the entry could not be read back; null if it could. */
export const fault = ({ body, labels }: Pick<Batch.Append, "body" | "labels">): string | null => {
  for (const label of labels as ReadonlyArray<unknown>) if (!isLabel(label)) return `${String(label)} is not a label`
  // A body that does not fit, or throws when it is read, is checked again by encoding it, which describes the fault.
  return Result.getOrElse(
    Result.try(() => fitsBody(body)),
    () => false
  )
    ? null
    : describeFault(body)
}

const decodeBody = Schema.decodeUnknownResult(Entry.Body, { onExcessProperty: "error" })

const maxLength = 1000

/** Describes the fault by encoding and decoding the body. */
const describeFault = (body: unknown): string | null => {
  const read = Result.flatMap(
    Result.try({ try: () => JSON.parse(Canonical.stringify(body)) as unknown, catch: String }),
    (stored) => Result.mapError(decodeBody(stored), String)
  )
  return Result.isSuccess(read) ? null : read.failure.slice(0, maxLength)
}

const fitsOf = (ast: SchemaAST.AST): Fits => {
  const fits = ast.encoding === undefined ? compileNode(ast) : null
  if (fits === null) return Schema.is(Schema.make(ast))
  return ast.checks === undefined ? fits : withChecks(ast, fits)
}

/** Compiles a check; null: `Schema.is` checks nodes of this kind. */
const compileNode = (ast: SchemaAST.AST): Fits | null => {
  switch (ast._tag) {
    case "String":
      return (value) => typeof value === "string"
    case "Number":
      return (value) => typeof value === "number"
    case "Boolean":
      return (value) => typeof value === "boolean"
    case "Null":
      return (value) => value === null
    case "Literal": {
      const { literal } = ast
      return (value) => value === literal
    }
    case "Arrays":
      return ast.elements.length === 0 && ast.rest.length === 1 ? list(fitsOf(ast.rest[0])) : null
    case "Objects":
      return ast.indexSignatures.length === 0 ? record(ast) : null
    case "Union":
      return compileTagged(ast) ?? anyOf(ast.types.map(fitsOf))
    default:
      return null
  }
}

/** Checks of common numbers and ids, which avoid a filter call for each value. */
const known = new Map<SchemaAST.Checks, Fits>(
  [
    [Schema.Natural.ast.checks, (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0] as const,
    [Schema.NonEmptyString.ast.checks, (value: unknown) => typeof value === "string" && value !== ""] as const
  ].flatMap(([checks, fits]) => (checks === undefined ? [] : [[checks, fits]]))
)

const withChecks = (ast: SchemaAST.AST, fits: Fits): Fits => {
  const simple = ast.checks === undefined ? undefined : known.get(ast.checks)
  if (simple !== undefined) return simple
  const filters: Array<SchemaAST.Filter<unknown>> = []
  const collect = (check: SchemaAST.Check<unknown>): void => {
    if (check._tag === "Filter") filters.push(check)
    else check.checks.forEach(collect)
  }
  ast.checks?.forEach(collect)
  return (value) => fits(value) && filters.every((filter) => filter.run(value, ast, {}) === undefined)
}

const list =
  (fits: Fits): Fits =>
  (value) => {
    if (!Array.isArray(value)) return false
    for (let index = 0; index < value.length; index++) if (!fits(value[index])) return false
    return true
  }

/** Compiles a struct; undefined members count as absent. */
const record = (ast: SchemaAST.Objects): Fits => {
  const members = new Map(
    ast.propertySignatures.map(({ name, type }) => [
      name,
      { fits: fitsOf(type), required: type.context?.isOptional !== true }
    ])
  )
  const required = ast.propertySignatures.filter(({ type }) => type.context?.isOptional !== true).length
  return (value) => {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return false
    let found = 0
    // Members are serialised only if they are not inherited; a plain object inherits none.
    const isPlain = Object.getPrototypeOf(value) === Object.prototype
    for (const key in value) {
      if (!isPlain && !Object.hasOwn(value, key)) continue
      const member = (value as Readonly<Record<string, unknown>>)[key]
      if (member === undefined) continue
      const declared = members.get(key)
      if (declared === undefined || !declared.fits(member)) return false
      if (declared.required) found++
    }
    return found === required
  }
}

const anyOf =
  (members: ReadonlyArray<Fits>): Fits =>
  (value) => {
    for (const fits of members) if (fits(value)) return true
    return false
  }

/**
 * Compiles a tagged union. A member is compiled when the first value with its tag is checked, because a session commits
 * only a few of the kinds. Null: the members are not distinguished by one tag each.
 */
const compileTagged = (ast: SchemaAST.Union): Fits | null => {
  const types = new Map<unknown, SchemaAST.AST>()
  for (const type of ast.types) {
    const tag = type._tag === "Objects" ? type.propertySignatures.find(({ name }) => name === "_tag")?.type : undefined
    if (tag?._tag !== "Literal" || types.has(tag.literal)) return null
    types.set(tag.literal, type)
  }
  const members = new Map<unknown, Fits>()
  return (value) => {
    if (value === null || typeof value !== "object") return false
    const tag = (value as { readonly _tag?: unknown })._tag
    const known = members.get(tag)
    if (known !== undefined) return known(value)
    const type = types.get(tag)
    if (type === undefined) return false
    const fits = fitsOf(type)
    members.set(tag, fits)
    return fits(value)
  }
}

const isLabel = fitsOf(Session.Label.ast)
const fitsBody = fitsOf(Entry.Body.ast)

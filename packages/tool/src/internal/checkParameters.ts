/** Finds the faults in the schema of a tool's parameters by walking it. */
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { faultOfFilters } from "./checkFilters.ts"
import * as ForeignSchemas from "./ForeignSchemas.ts"
import { faultOfParts } from "./ownFields.ts"
import { isTooDeep, tooDeep } from "./schemaParts.ts"

/** Returns descriptions of the faults, each beginning with its field; null: there are none. */
export const faultOfParameters = (parameters: unknown): string | null => {
  if (!Schema.isSchema(parameters)) {
    const isForeign = parameters !== null && typeof parameters === "object" && "~standard" in parameters
    return isForeign
      ? "parameters: a Standard Schema, such as zod's, is taken by Tool.fromAsync; Tool.make takes Schema.Struct of effect"
      : "parameters: must be a Schema of effect, as in Schema.Struct({ path: Schema.String })"
  }
  const foreign = ForeignSchemas.get(parameters)
  if (foreign !== undefined) {
    if (isTooDeep(foreign)) return tooDeep("parameters")
    return foreign["type"] === "object" ? null : "parameters: must be an object; anything else goes into a field of it"
  }
  const encoded = encodedEnd(parameters.ast)
  if (encoded._tag !== "Objects") {
    return `parameters: must be an object, as in Schema.Struct({ value: … }); ${nameOf(encoded)} goes into a field of it`
  }
  const unfit = faultOfFields("parameters", encoded)
  if (unfit !== null) return unfit
  if (encoded.propertySignatures.length === 0 && encoded.indexSignatures.length > 0) {
    return "parameters: must have named fields; a record goes into a field, as in Schema.Struct({ values: Schema.Record(…) })"
  }
  for (const property of encoded.propertySignatures) {
    const { name } = property
    const type = encodedEnd(property.type)
    if (!SchemaAST.isOptional(type) && hasUndefined(type)) {
      return `parameters.${String(name)}: JSON has no undefined; use Schema.optionalKey(…) for what may be left out, Schema.NullOr(…) for null`
    }
  }
  return faultOfParts("parameters", parameters.ast) ?? faultOfDefaults(parameters.ast) ?? faultOfFilters(parameters.ast)
}

const names: Readonly<Record<string, string>> = {
  Union: "a union",
  String: "a text",
  Number: "a number",
  Boolean: "a boolean",
  Arrays: "a list",
  Suspend: "a suspended schema"
}

const nameOf = ({ _tag }: SchemaAST.AST): string => names[_tag] ?? _tag

/** Finds a field whose type is not a schema, as a program without types may declare it; null: there is none. */
export const faultOfFields = (subject: string, ast: SchemaAST.AST): string | null => {
  if (ast._tag !== "Objects") return null
  for (const { name, type } of ast.propertySignatures) {
    if (typeof name !== "string") return `${subject}: the names of fields are texts (one is a ${typeof name})`
    if (!SchemaAST.isAST(type)) return `${subject}.${name}: must be a Schema of effect, as in Schema.String`
  }
  return null
}

/** Returns the JSON form of a part without its members, because deriving all members would dominate the start time. */
const encodedEnd = (ast: SchemaAST.AST): SchemaAST.AST => {
  const last = ast.encoding?.at(-1)
  return last === undefined ? ast : encodedEnd(last.to)
}

const hasUndefined = (type: SchemaAST.AST): boolean =>
  type._tag === "Undefined" || (type._tag === "Union" && type.types.some((one) => hasUndefined(encodedEnd(one))))

/** Finds a default that its own check rejects: every call that omits the field would fail. */
const faultOfDefaults = (ast: SchemaAST.AST): string | null => {
  if (ast._tag !== "Objects") return null
  for (const property of ast.propertySignatures) {
    const { name, type } = property
    if (type.encoding === undefined || SchemaAST.isOptional(type)) continue
    if (!SchemaAST.isOptional(encodedEnd(type)) || isPlain(type)) continue
    const alone = Schema.make(new SchemaAST.Objects([property], []))
    const decoded = Result.try(() =>
      SchemaParser.decodeUnknownResult(alone as Schema.Codec<unknown>)(Object.create(null))
    )
    // A default that needs asynchronous work cannot be checked.
    if (Result.isFailure(decoded) || Result.isSuccess(decoded.success)) continue
    return `parameters.${String(name)}: its default is not one of its values: ${words(decoded.success.failure)}`
  }
  return null
}

/** Returns the default of a missing field; undefined: only its decoder knows it. */
const defaultOf = ({ encoding }: SchemaAST.AST): unknown => {
  let value: Option.Option<unknown> = Option.none()
  for (const { to, transformation } of encoding?.toReversed() ?? []) {
    if (transformation._tag !== "Transformation" || to.encoding !== undefined) return undefined
    if (Option.isSome(value) && !passes(to, value.value)) return undefined
    const schema = value
    const read = Result.getOrUndefined(Result.try((): unknown => SchemaGetter.run(transformation.decode, schema, {})))
    if (!Exit.isExit(read) || !Exit.isSuccess(read) || !Option.isOption(read.value)) return undefined
    value = read.value
  }
  return Option.getOrUndefined(value)
}

/** True if the default can be checked without a decoder. A decoder costs more than the rest of a declaration. */
const isPlain = (type: SchemaAST.AST): boolean => {
  const value = SchemaAST.resolveAt<unknown>("default")(type) ?? defaultOf(type)
  if (value === undefined) return false
  switch (type._tag) {
    case "String":
    case "Boolean":
      return typeof value === type._tag.toLowerCase() && passes(type, value)
    case "Number":
      return typeof value === "number" && passes(type, value)
    case "Literal":
      return type.literal === value
    case "Union":
      return type.checks === undefined && type.types.some((one) => SchemaAST.isLiteral(one) && one.literal === value)
    case "Arrays":
      return type.elements.length === 0 && Array.isArray(value) && value.length === 0 && passes(type, value)
    case "Objects":
      return type.propertySignatures.length === 0 && isEmptyObject(value) && passes(type, value)
    default:
      return false
  }
}

const isEmptyObject = (value: unknown): boolean =>
  value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0

const passes = (type: SchemaAST.AST, value: unknown): boolean =>
  (type.checks ?? []).every((check) => passesCheck(check, value, type))

const passesCheck = (check: SchemaAST.Check<unknown>, value: unknown, type: SchemaAST.AST): boolean =>
  check._tag === "Filter"
    ? check.run(value, type, {}) === undefined
    : check.checks.every((one) => passesCheck(one, value, type))

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const words = (issue: SchemaIssue.Issue): string =>
  format(issue)
    .issues.map(({ message }) => message)
    .join("; ")
    .slice(0, 200)

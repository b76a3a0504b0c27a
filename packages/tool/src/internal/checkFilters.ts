/**
 * Finds checks of a schema that reject values without a message about the expected values. A model cannot correct an
 * argument if it only learns that it is wrong.
 */
import * as Result from "effect/Result"
import * as SchemaAST from "effect/SchemaAST"
import { maxNodes, partsOf } from "./schemaParts.ts"

/** Describes the check and its path in the arguments; null: every check has a message. */
export const faultOfFilters = (parameters: SchemaAST.AST): string | null => {
  const seen = new Set<SchemaAST.AST>()
  const look = (ast: SchemaAST.AST, path: string): string | null => {
    if (seen.has(ast) || seen.size > maxNodes) return null
    seen.add(ast)
    if (ast.checks?.some((check) => isSilent(check, ast)) === true) {
      return `${path}: a check refuses values and does not say what it expects; write Schema.makeFilter(…, { expected: "an even number" })`
    }
    for (const [inner, name] of partsOf(ast)) {
      const fault = look(inner, name === "" ? path : `${path}${name}`)
      if (fault !== null) return fault
    }
    return null
  }
  return look(parameters, "parameters")
}

const isSilent = (check: SchemaAST.Check<unknown>, ast: SchemaAST.AST): boolean => {
  const { expected, message } = (check.annotations ?? {}) as { readonly expected?: unknown; readonly message?: unknown }
  const words = [message, expected].filter((text) => typeof text === "string")
  if (words.length > 0) return words.every((text) => text.trim() === "")
  return check._tag === "Filter" ? refusesSilently(check, ast) : check.checks.some((one) => isSilent(one, ast))
}

/**
 * A check may compute its message only when it rejects a value: sample values of the type show whether it has a
 * message.
 */
const refusesSilently = (check: SchemaAST.Filter<unknown>, ast: SchemaAST.AST): boolean =>
  samplesOf(ast).some((value) => {
    const issue = Result.getOrElse(
      Result.try(() => check.run(value, ast, {})),
      () => undefined
    )
    if (issue?._tag !== "InvalidValue") return false
    const { expected, message } = (issue.annotations ?? {}) as {
      readonly expected?: unknown
      readonly message?: unknown
    }
    return [message, expected].every((text) => typeof text !== "string" || text.trim() === "")
  })

const samplesOf = (ast: SchemaAST.AST): ReadonlyArray<unknown> => {
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return ["", " ", "a", "A", "0", "-1", "a b", "a/b", "\n", "é", "a".repeat(300)]
    case "Number":
      return [0, 1, 2, -1, 0.5, 1e9, -1e9]
    case "BigInt":
      return [0n, 1n, 2n, -1n, 10n ** 20n]
    case "Boolean":
      return [true, false]
    case "Literal":
      return [ast.literal]
    case "Arrays":
      return [[], ...samples(ast.rest[0] ?? ast.elements[0]).map((item) => [item, item])]
    case "Objects":
      return objectsOf(ast)
    case "Union":
      return ast.types.flatMap(samplesOf)
    default:
      return []
  }
}

/** Sample values of a type: one level deep, with one sample for each field and item. */
const samples = (ast: SchemaAST.AST | undefined): ReadonlyArray<unknown> => {
  if (ast === undefined) return []
  return ast._tag === "Objects" || ast._tag === "Arrays" || ast._tag === "Suspend" ? [] : samplesOf(ast)
}

/** Makes objects without their optional fields, and with each sample value of their fields. */
const objectsOf = (ast: SchemaAST.Objects): ReadonlyArray<unknown> => {
  const fields = ast.propertySignatures.map(({ name, type }) => ({
    name,
    isOptional: SchemaAST.isOptional(type),
    values: samples(type)
  }))
  const rowCount = Math.max(1, ...fields.map(({ values }) => values.length))
  const full = Array.from({ length: rowCount }, (_, index) =>
    Object.fromEntries(fields.map(({ name, values }, at) => [name, values[(index + at) % values.length]]))
  )
  const minimal = Object.fromEntries(
    fields.filter(({ isOptional }) => !isOptional).map(({ name, values }) => [name, values[0]])
  )
  return [minimal, ...full]
}

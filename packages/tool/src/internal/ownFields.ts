/**
 * Fields with names that every object inherits, such as `constructor`. A schema of effect looks for a key with `in`,
 * which finds only own keys in an object without a prototype.
 */
import * as Result from "effect/Result"
import type * as SchemaAST from "effect/SchemaAST"
import { endless, maxLevels, maxNodes, partsOf, tooDeep } from "./schemaParts.ts"

const hasInheritedName = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Objects" && ast.propertySignatures.some(({ name }) => name in Object.prototype)

/** Returns the value, or its copy without prototypes if the schema has a field of an inherited name at any depth. */
export const ownFields = (ast: SchemaAST.AST): (<A>(value: A) => A) =>
  holdsInheritedName(ast) ? (value) => withoutPrototypes(value) as typeof value : (value) => value

const holdsInheritedName = (root: SchemaAST.AST): boolean => {
  const seen = new Set<SchemaAST.AST>()
  const look = (ast: SchemaAST.AST): boolean => {
    if (seen.has(ast) || seen.size > maxNodes) return false
    seen.add(ast)
    return hasInheritedName(ast) || partsOf(ast).some(([part]) => look(part))
  }
  return look(root)
}

/** Copies lists and plain objects; instances of classes are not copied. */
const withoutPrototypes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPrototypes)
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value
  const copy = Object.create(null) as Record<string, unknown>
  for (const [name, member] of Object.entries(value)) copy[name] = withoutPrototypes(member)
  return copy
}

/**
 * Describes a part with too many levels, or a field for which a copy without prototypes does not help, because a class
 * or a transformation around the field looks for its key in a new object; null: there is none.
 */
export const faultOfParts = (subject: "parameters" | "output", root: SchemaAST.AST): string | null => {
  const seen = new Set<SchemaAST.AST>()
  const look = (ast: SchemaAST.AST, path: string, { isMade, levels, suspends }: WalkContext): string | null => {
    if (seen.has(ast) || seen.size > maxNodes) return null
    // Each schema object is visited once, so a schema that is still visited after many levels creates a new one at each
    // level.
    if (levels > maxLevels) return suspends > maxLevels / 2 ? endless(subject) : tooDeep(subject)
    seen.add(ast)
    const within = {
      levels: ast._tag === "Objects" || ast._tag === "Arrays" ? levels + 1 : levels,
      suspends: ast._tag === "Suspend" ? suspends + 1 : suspends
    }
    if (ast._tag === "Objects") {
      for (const { name } of ast.propertySignatures) {
        if (name === "__proto__") return `${path}.__proto__: JSON of others may not name it; choose another name`
        if (name in Object.prototype && (isMade || ast.encoding !== undefined)) {
          return `${path}.${String(name)}: every object inherits a member with this name, which a class or a transformation around the field would read instead; choose another name, or declare the field in a separate Schema.Struct`
        }
      }
    }
    const encodings = new Set(ast.encoding?.map(({ to }) => to))
    // The suspended schema of an output may be created after the tool, so its parts may be unavailable here.
    const parts = subject === "output" && ast._tag === "Suspend" ? Result.try(() => partsOf(ast)) : null
    for (const [part, name] of parts === null ? partsOf(ast) : Result.getOrElse(parts, () => [])) {
      const isPartMade = encodings.has(part) ? part._tag === "Objects" : ast._tag === "Declaration"
      const fault = look(part, name === "" ? path : `${path}${name}`, { ...within, isMade: isPartMade })
      if (fault !== null) return fault
    }
    return null
  }
  return look(root, subject, { isMade: false, levels: 0, suspends: 0 })
}

interface WalkContext {
  /** True within a class or a transformation, which makes a new object. */
  readonly isMade: boolean
  readonly levels: number
  readonly suspends: number
}

/** Rewrites a bundled module as a script: a function that takes the module's imports and returns its exports. */
import { parseAst } from "vite"

export interface ModuleScript {
  readonly script: string
  readonly exports: ReadonlyArray<string>
  /** The paths of the modules that it imports. */
  readonly imports: ReadonlyArray<string>
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

type NamedNode = Node & { readonly name: string }
type Specifier = Node & { readonly imported: NamedNode; readonly local: NamedNode; readonly exported: NamedNode }
type Statement = Node & {
  readonly specifiers: ReadonlyArray<Specifier>
  readonly source: (Node & { readonly value: string }) | null
  readonly declaration?: Node | null
}

interface Edit extends Pick<Node, "start" | "end"> {
  readonly text: string
}

/**
 * Returns the script of a module. Its function is in parentheses, so that the engine compiles it at once. Fails if the
 * module assigns to a variable that it exports, because the exports are read once.
 */
export const scriptOf = (text: string): ModuleScript => {
  // The parser's types have a node for each form of statement; `isPlain` checks the few that are read here.
  const program = parseAst(text) as unknown as { readonly body: ReadonlyArray<Statement> }
  const imports = program.body.filter(({ type }) => type === "ImportDeclaration")
  const exports = program.body.filter(({ type }) => type.startsWith("Export"))
  const other = [...imports, ...exports].find((statement) => !isPlain(statement))
  if (other !== undefined) throw new Error(`the bundler writes a statement in another form: ${other.type}`)
  const names = exports.flatMap(({ specifiers }) => specifiers)
  const found = visited(program)
  const changing = names.filter(({ local }) => found.assigned.has(local.name)).map(({ local }) => local.name)
  if (changing.length > 0) throw new Error(`the bundle assigns to variables that it exports: ${changing.join(", ")}`)
  const edits = [
    ...imports.map(({ end, source, specifiers, start }): Edit => ({ start, end, text: bindings(source, specifiers) })),
    ...exports.map(({ end, start }): Edit => ({ start, end, text: "" })),
    ...found.edits
  ]
  const result = names.map(({ exported, local }) => `${exported.name}:${local.name}`).join(",")
  return {
    script: `(function(imports$,import$,meta$){"use strict";${applyEdits(text, edits)}\nreturn{${result}}})\n`,
    exports: names.map(({ exported }) => exported.name),
    imports: imports.map(({ source }) => source?.value ?? "")
  }
}

/** True for the forms that the bundler writes: names in braces, and no declarations. */
const isPlain = ({ declaration, source, specifiers, type }: Statement): boolean =>
  type === "ImportDeclaration"
    ? specifiers.every((specifier) => specifier.type === "ImportSpecifier")
    : type === "ExportNamedDeclaration" && source === null && (declaration ?? null) === null

const bindings = (source: Statement["source"], specifiers: ReadonlyArray<Specifier>): string =>
  `const{${specifiers.map(({ imported, local }) => `${imported.name}:${local.name}`).join(",")}}=imports$[${JSON.stringify(source?.value)}];`

const applyEdits = (text: string, edits: ReadonlyArray<Edit>): string => {
  const parts: Array<string> = []
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(at, edit.start), edit.text)
    at = edit.end
  }
  return [...parts, text.slice(at)].join("")
}

interface Visited {
  readonly edits: ReadonlyArray<Edit>
  /** The variables that are assigned. The bundler gives no two variables of nested scopes the same name. */
  readonly assigned: ReadonlySet<string>
}

/** The nodes that assign to their left side or argument; a loop may also declare its variable there. */
const assigning: ReadonlySet<string> = new Set([
  "AssignmentExpression",
  "UpdateExpression",
  "ForInStatement",
  "ForOfStatement"
])

/** Finds the expressions that only a module has, and all assignments. */
const visited = (program: unknown): Visited => {
  const edits: Array<Edit> = []
  const assigned = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (typeof value !== "object" || value === null) return
    const node = value as Node & { readonly left?: unknown; readonly argument?: unknown }
    if (node.type === "ImportExpression") {
      edits.push({ start: node.start, end: node.start + "import".length, text: "import$" })
    }
    if (node.type === "MetaProperty" && node.end - node.start === "import.meta".length) {
      edits.push({ start: node.start, end: node.end, text: "meta$" })
    }
    if (assigning.has(node.type)) for (const name of targetsOf(node.left ?? node.argument)) assigned.add(name)
    Object.values(node).forEach(visit)
  }
  visit(program)
  return { edits, assigned }
}

/** Returns the variables in a target of an assignment, which may be a pattern. */
const targetsOf = (target: unknown): ReadonlyArray<string> => {
  if (Array.isArray(target)) return target.flatMap(targetsOf)
  if (typeof target !== "object" || target === null) return []
  const { argument, elements, left, name, properties, type, value } = target as Record<string, unknown>
  if (type === "MemberExpression") return []
  return typeof name === "string" ? [name] : [argument, elements, left, properties, value].flatMap(targetsOf)
}

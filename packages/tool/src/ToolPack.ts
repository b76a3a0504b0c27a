/** A set of tools with their handlers, composed at compile time. Their names stay in the type of an opened pack. */
import * as Capability from "./Capability.ts"
import { checkArguments } from "./checkArguments.ts"
import * as Expected from "./Expected.ts"
import { isPack, isTool } from "./internal/argument.ts"
import type * as Tool from "./Tool.ts"

// oxlint-disable-next-line typescript/no-explicit-any -- holds tools of every schema
type ToolOf<R> = Tool.Tool<string, any, any, R>

/** `R` are the services that the handlers together may use. */
export interface ToolPack<out R, out Tools = Readonly<Record<string, ToolOf<R>>>> {
  readonly tools: Tools & Readonly<Record<string, ToolOf<R>>>
  /** The pack of each tool, by tool name; tools of an unnamed pack are missing. */
  readonly packNames: Readonly<Record<string, string>>
}

// oxlint-disable-next-line typescript/no-explicit-any -- holds packs of every requirement
export type Any = ToolPack<any, any>

type RequirementsOf<T> = T extends Tool.Tool<infer _N, infer _P, infer _O, infer R> ? R : never
type ByName<Tools extends ReadonlyArray<Tool.Any>> = { readonly [T in Tools[number] as T["name"]]: T }
type MergedTools<Packs extends ReadonlyArray<Any>> = Packs extends readonly [
  infer Head extends Any,
  ...infer Tail extends ReadonlyArray<Any>
]
  ? ToolsOf<Head> & MergedTools<Tail>
  : unknown
// Not `P["tools"]`, which would accept any name.
type ToolsOf<P> = P extends ToolPack<infer _R, infer Tools> ? Tools : never
type PackRequirements<P> = P extends ToolPack<infer R, infer _Tools> ? R : never

/** The names that several tools of a list have. Names that the compiler does not know are checked at run time. */
type RepeatedName<Tools extends ReadonlyArray<Tool.Any>, Seen = never, Found = never> = Tools extends readonly [
  infer Head extends Tool.Any,
  ...infer Tail extends ReadonlyArray<Tool.Any>
]
  ? RepeatedName<Tail, Seen | Head["name"], Found | (string extends Head["name"] ? never : Extract<Head["name"], Seen>)>
  : Found

type Distinct<Tools extends ReadonlyArray<Tool.Any>> = [RepeatedName<Tools>] extends [never]
  ? unknown
  : {
      readonly [I in keyof Tools]: Tools[I]["name"] extends RepeatedName<Tools>
        ? `two tools named ${Tools[I]["name"]}: rename one of them`
        : unknown
    }

/** The names that two packs use for tools of different types. */
type ClashingTools<A, B> = {
  readonly [Name in Literal<keyof A> & Literal<keyof B>]: Same<A[Name], B[Name]> extends true ? never : Name
}[Literal<keyof A> & Literal<keyof B>]

type Literal<Keys> = Keys extends string ? (string extends Keys ? never : Keys) : never

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

type Mergeable<Packs extends ReadonlyArray<Any>, Before = unknown> = Packs extends readonly [
  infer Head extends Any,
  ...infer Tail extends ReadonlyArray<Any>
]
  ? readonly [
      [ClashingTools<Before, ToolsOf<Head>>] extends [never]
        ? unknown
        : `two tools named ${ClashingTools<Before, ToolsOf<Head>>}: rename one of them, or merge only one of the packs`,
      ...Mergeable<Tail, Before & ToolsOf<Head>>
    ]
  : ReadonlyArray<unknown>

/**
 * Makes a pack of these tools. Two tools with the same name do not compile. If their types do not contain the names,
 * duplicates are a defect at run time; so are two capabilities with the same key.
 */
export const make = <const Tools extends ReadonlyArray<Tool.Any>>(
  ...tools: Tools & Distinct<Tools>
): ToolPack<RequirementsOf<Tools[number]>, ByName<Tools>> => ({ tools: byName([[tools, {}]]), packNames: {} }) as never

/**
 * Makes a pack from tools by name, for lists that are too long for `make`: TypeScript cannot check a thousand names for
 * duplicates. A tool under another key than its name is a defect.
 */
export const fromRecord = checkArguments(
  "ToolPack.fromRecord",
  [Expected.object("an object of tools by name, as in { read_file: readFile }")],
  <const Tools extends Readonly<Record<string, Tool.Any>>>(
    tools: Tools
  ): ToolPack<RequirementsOf<Tools[keyof Tools]>, Tools> => {
    for (const [name, tool] of Object.entries<Tool.Any>(tools)) {
      if (tool.name !== name) throw new Error(`the tool ${tool.name} is listed as ${name}`)
    }
    return { tools: byName([[Object.values<Tool.Any>(tools), {}]]), packNames: {} } as never
  }
)

/**
 * Merges the tools of the packs. Two tools with the same name do not compile. If their types do not contain the names,
 * duplicates are a defect at run time; so are two capabilities with the same key.
 */
export const merge = <const Packs extends ReadonlyArray<Any>>(
  ...packs: Packs & Mergeable<Packs>
): ToolPack<PackRequirements<Packs[number]>, MergedTools<Packs>> => {
  const wrong = packs.findIndex((pack) => !isPack(pack))
  if (wrong !== -1) throw new Error(`ToolPack.merge: argument ${wrong + 1} must be a pack, as in ToolPack.make(tool)`)
  return {
    tools: byName(packs.map((pack) => [Object.values<Tool.Any>(pack.tools), pack.packNames])),
    packNames: Object.assign({}, ...packs.map(({ packNames }) => packNames))
  } as never
}

/**
 * Returns the pack with a name, by which its tools are grouped for models. Tools that already belong to a pack keep it.
 */
export const named = checkArguments(
  "ToolPack.named",
  [Expected.string, Expected.pack],
  <R, Tools>(name: string, pack: ToolPack<R, Tools>): ToolPack<R, Tools> => ({
    tools: pack.tools,
    packNames: { ...Object.fromEntries(Object.keys(pack.tools).map((tool) => [tool, name])), ...pack.packNames }
  })
)

type Members = readonly [tools: ReadonlyArray<Tool.Any>, packNames: ToolPack<unknown>["packNames"]]

const byName = (packs: ReadonlyArray<Members>): Record<string, Tool.Any> => {
  const named = new Map<string, Tool.Any>()
  const packNames = new Map<Tool.Any, string>()
  const capabilities = new Map<string, Capability.Any>()
  for (const [tools, names] of packs) {
    for (const [at, tool] of tools.entries()) {
      if (!isTool(tool))
        throw new Error(`a pack: argument ${at + 1} must be a tool of Tool.make or Tool.fromAsync${hint(tool)}`)
      const other = named.get(tool.name) ?? tool
      if (other !== tool) throw new Error(twoOf(tool.name, packNames.get(other), names[tool.name]))
      named.set(tool.name, tool)
      if (names[tool.name] !== undefined) packNames.set(tool, names[tool.name])
      for (const capability of tool.capabilities) {
        const known = capabilities.get(capability.key) ?? capability
        if (!Capability.isSame(known, capability)) throw new Error(Capability.clash(capability.key))
        capabilities.set(capability.key, known)
      }
    }
  }
  return Object.fromEntries(named)
}

/** The fix for values that are passed in place of a tool. */
const hint = (value: unknown): string => {
  if (Array.isArray(value)) return "; pass the tools of a list as in ToolPack.make(...tools)"
  if (typeof value === "object" && value !== null && "tools" in value) return "; packs are merged by ToolPack.merge"
  return Expected.typeText(value)
}

const twoOf = (tool: string, first: string | undefined, second: string | undefined): string =>
  first === undefined && second === undefined
    ? `two tools named ${tool}: rename one of them`
    : `two tools named ${tool}, of ${first === undefined ? "an unnamed pack" : `the pack ${first}`} and ${
        second === undefined ? "an unnamed pack" : `the pack ${second}`
      }: rename one of them, or merge only one of the packs`

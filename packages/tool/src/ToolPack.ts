/** A set of tools with their handlers, composed at compile time. Names are kept: an opened pack is typed by them. */
import type * as Tool from "./Tool.ts"

// oxlint-disable-next-line typescript/no-explicit-any -- holds tools of every schema
type ToolOf<R> = Tool.Tool<string, any, any, R>

/** `R` is what the handlers together may use. */
export interface ToolPack<out R, out Tools = Readonly<Record<string, ToolOf<R>>>> {
  readonly tools: Tools & Readonly<Record<string, ToolOf<R>>>
  /** The pack that each tool belongs to, by tool name; a tool of an unnamed pack is not in here. */
  readonly packNames: Readonly<Record<string, string>>
}

// oxlint-disable-next-line typescript/no-explicit-any -- holds packs of every requirement
export type Any = ToolPack<any, any>

type RequirementsOf<T> = T extends Tool.Tool<infer _N, infer _P, infer _O, infer R> ? R : never
type ByName<Tools extends ReadonlyArray<Tool.Any>> = { readonly [T in Tools[number] as T["name"]]: T }
type Merged<Packs extends ReadonlyArray<Any>> = Packs extends readonly [
  infer Head extends Any,
  ...infer Tail extends ReadonlyArray<Any>
]
  ? ToolsOf<Head> & Merged<Tail>
  : unknown
// Not `P["tools"]`: that takes any name for a tool's.
type ToolsOf<P> = P extends ToolPack<infer _R, infer Tools> ? Tools : never
type PackRequirements<P> = P extends ToolPack<infer R, infer _Tools> ? R : never

/** A pack of these tools. Two tools of one name are a defect. */
export const make = <const Tools extends ReadonlyArray<Tool.Any>>(
  ...tools: Tools
): ToolPack<RequirementsOf<Tools[number]>, ByName<Tools>> => ({ tools: byName(tools), packNames: {} }) as never

/** All tools of the packs. Two tools of one name are a defect. */
export const merge = <const Packs extends ReadonlyArray<Any>>(
  ...packs: Packs
): ToolPack<PackRequirements<Packs[number]>, Merged<Packs>> =>
  ({
    tools: byName(packs.flatMap((pack) => Object.values<Tool.Any>(pack.tools))),
    packNames: Object.assign({}, ...packs.map(({ packNames }) => packNames))
  }) as never

/** The pack under a name of its own: models are told of tools by pack. Tools that have a pack keep it. */
export const named = <R, Tools>(name: string, pack: ToolPack<R, Tools>): ToolPack<R, Tools> => ({
  tools: pack.tools,
  packNames: { ...Object.fromEntries(Object.keys(pack.tools).map((tool) => [tool, name])), ...pack.packNames }
})

const byName = (tools: ReadonlyArray<Tool.Any>): Record<string, Tool.Any> => {
  const named = new Map<string, Tool.Any>()
  for (const tool of tools) {
    if ((named.get(tool.name) ?? tool) !== tool) throw new Error(`two tools named ${tool.name}`)
    named.set(tool.name, tool)
  }
  return Object.fromEntries(named)
}

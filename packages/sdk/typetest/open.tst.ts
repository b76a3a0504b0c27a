/** The guarantees of an opened pack's types. An unused `@ts-expect-error` fails the check. */
import { type AnyOpenedPack, open } from "@bough/sdk"
import { Capability, Tool, ToolPack, ToolSchema } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const facts = { description: "Does it", version: 1, tier: "ReadOnly", replay: "Safe" } as const

const count = Tool.make("count_lines", {
  ...facts,
  capabilities: [Capability.WorkspaceRead],
  parameters: Schema.Struct({ path: Schema.String, blank: ToolSchema.withDefault(Schema.Boolean, true) }),
  output: Schema.Struct({ lines: Schema.Natural }),
  execute: () => Effect.succeed(Tool.result({ output: { lines: 0 }, display: "" }))
})

const now = Tool.make("now", {
  ...facts,
  capabilities: [],
  parameters: Schema.Struct({ utc: ToolSchema.withDefault(Schema.Boolean, true) }),
  output: Schema.Struct({ at: Schema.String }),
  execute: () => Effect.succeed(Tool.result({ output: { at: "" }, display: "" }))
})

export const typed = async (): Promise<number> => {
  await using tools = await open(ToolPack.merge(ToolPack.make(count), ToolPack.make(now)), { root: "." })
  await tools.now()
  await tools.now({ utc: false })
  // @ts-expect-error a path is needed
  await tools.count_lines()
  // @ts-expect-error and it is a text
  await tools.count_lines({ path: 1 })
  // @ts-expect-error there is no such tool
  await tools.count_words({ path: "a" })
  const counted = await tools.count_lines({ path: "a" }, { signal: new AbortController().signal })
  // @ts-expect-error it may have failed
  void counted.result
  return counted.status === "success" ? counted.result.output.lines : 0
}

class Database extends Context.Service<Database, { readonly rows: number }>()("app/Database") {
  static readonly floor = "ReadOnly"
}

const query = Tool.make("query", {
  ...facts,
  capabilities: [Database],
  parameters: Schema.Struct({}),
  output: Schema.Struct({}),
  execute: () => Effect.succeed({ output: {}, display: "" })
})

// @ts-expect-error a plain program has no Database, and none is provided
void open(ToolPack.make(query), { root: "." })
const rows = Capability.provide(Database, { service: { rows: 1 } })
void open(ToolPack.make(query), { root: ".", provide: [rows] })
void open(ToolPack.make(query, count), { root: ".", provide: [rows] })

class Ledger extends Capability.make("app/Ledger", { floor: "ReadOnly" })<Ledger, { readonly entries: number }>() {}
// @ts-expect-error another one is provided
void open(ToolPack.make(query), { root: ".", provide: [Capability.provide(Ledger, { service: { entries: 1 } })] })
const both = [Capability.provide(Ledger, { service: { entries: 1 } }), rows] as const
void open(ToolPack.make(query), { root: ".", provide: both })

// For tools that are known only at run time, the calls report missing capabilities.
const known: Tool.Any = query
void open(ToolPack.make(known), { root: "." })

const judge = Tool.make("judge", {
  ...facts,
  capabilities: [],
  parameters: Schema.Struct({}),
  output: Schema.Struct({}),
  execute: () => Effect.succeed({ output: {}, display: "" })
})
// @ts-expect-error an opened pack has a member with this name
void open(ToolPack.make(judge), { root: "." })

export const anyTools = async (): Promise<AnyOpenedPack> => open(ToolPack.make(count), { root: "." })

/** A tool of one capability. */
const needing = <const C extends Capability.Any>(capability: C) =>
  ToolPack.make(
    Tool.make("needs_it", {
      description: "Needs it",
      version: 1,
      tier: "Elevated",
      replay: "Unsafe",
      capabilities: [capability],
      parameters: Schema.Struct({}),
      output: Schema.Struct({}),
      execute: () => Effect.succeed({ output: {}, display: "" })
    })
  )

const home = { directory: "home", user: "ann" }
void open(needing(Capability.NetworkRead), { root: ".", network: {} })
void open(needing(Capability.NetworkWrite), { root: ".", network: { allow: [] } })
void open(needing(Capability.MemoryRead), { root: ".", memory: home })
void open(needing(Capability.MemoryWrite), { root: ".", memory: home })
void open(needing(Capability.Scratchpad), { root: ".", memory: home })
void open(needing(Capability.History), { root: ".", memory: home })
void open(needing(Capability.Channel), { root: ".", channel: () => {} })
// @ts-expect-error no network
void open(needing(Capability.NetworkRead), { root: ".", memory: home })
// @ts-expect-error no memory
void open(needing(Capability.MemoryRead), { root: ".", network: {} })
// @ts-expect-error no channel
void open(needing(Capability.Channel), { root: ".", network: {} })
// @ts-expect-error a plain program has no sessions
void open(needing(Capability.Spawn), { root: ".", network: {}, memory: home, channel: () => {} })
declare const perhaps: { readonly network?: {} }
// @ts-expect-error it may be left out
void open(needing(Capability.NetworkRead), { root: ".", ...perhaps })
// @ts-expect-error misspelt
void open(needing(Capability.NetworkRead), { root: ".", network: {}, memroy: home })

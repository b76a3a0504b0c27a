/** Tools, each of which breaks one rule of the contract, and one that keeps them all. */
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { Capability, Invocation, Tool, ToolPack, ToolSchema } from "../../src/index.ts"
import type { Rule, TestWorld } from "../../src/testing.ts"

interface Rows {
  readonly add: (row: string) => Effect.Effect<void>
  readonly remove: (row: string) => Effect.Effect<void>
  readonly has: (row: string) => Effect.Effect<boolean>
  readonly count: Effect.Effect<number>
  /** Counts after some turns of the event loop. */
  readonly slowly: Effect.Effect<number>
  /** Counts, and writes a file beside the world. */
  readonly caching: Effect.Effect<number>
  /** Counts in a process of its own, whose group ends a little later. */
  readonly outside: Effect.Effect<number>
}

/** A table in memory. */
export class Table extends Capability.make("zoo/Table", { floor: "Workspace", reach: "Confined" })<Table, Rows>() {}
/** The reading methods of the table. */
export class TableRead extends Capability.make("zoo/TableRead", { floor: "ReadOnly", reach: "Confined" })<
  TableRead,
  Omit<Rows, "add" | "remove">
>() {}

/** A world of one table and one folder with `a.txt`. */
export const world = (root: string) => (): TestWorld => {
  const folder = fs.mkdtempSync(path.join(root, "zoo-"))
  fs.writeFileSync(path.join(folder, "a.txt"), "a")
  const rows: Array<string> = []
  const service: Rows = {
    add: (row) => Effect.sync(() => void rows.push(row)),
    remove: (row) => Effect.sync(() => void rows.splice(rows.indexOf(row), rows.includes(row) ? 1 : 0)),
    has: (row) => Effect.sync(() => rows.includes(row)),
    count: Effect.sync(() => rows.length),
    slowly: Effect.as(Effect.sleep(20), 0),
    caching: Effect.promise(async () => {
      await new Promise((resolve) => void setImmediate(resolve))
      await fs.promises.writeFile(path.join(root, "cache"), "rows")
      return rows.length
    }),
    outside: Effect.promise(async () => {
      const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" })
      await once(child, "spawn")
      setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), 5)
      return rows.length
    })
  }
  return {
    root: folder,
    state: () => rows,
    provisions: [Capability.provide(Table, { service }), Capability.provide(TableRead, { service })],
    dispose: () => fs.rmSync(folder, { recursive: true })
  }
}

export const done = { output: {}, display: "Done" }
export const facts = {
  version: 1,
  description: "Does something",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({ row: Schema.NonEmptyString }),
  output: Schema.Struct({}),
  execute: () => Effect.succeed(done)
} as const
export const writing = { ...facts, tier: "Workspace", capabilities: [Table] } as const

export interface Exhibit {
  readonly rule: Rule
  readonly fault: RegExp
  readonly pack: ToolPack.Any
}

export const exhibit = (rule: Rule, fault: RegExp, tool: Tool.Any): Exhibit => ({
  rule,
  fault,
  pack: ToolPack.make(tool)
})

export const inRoot = (act: (root: string) => unknown) => () =>
  Effect.map(
    Effect.flatMap(Invocation.Invocation, ({ workspaceRoot }) => Effect.promise(async () => act(workspaceRoot))),
    () => done
  )

const listening = (): Promise<void> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => server.close(() => resolve()))
  })

/** The tool that breaks nothing: it adds a row once. */
export const sound = Tool.make("add_row", {
  ...writing,
  replay: "Idempotent",
  execute: Effect.fnUntraced(function* ({ row }) {
    yield* (yield* Table).add(row)
    return done
  }),
  capabilities: [Table, TableRead],
  preview: ({ row }) => Effect.succeed({ render: `add ${row}`, preconditions: [] }),
  findExisting: Effect.fnUntraced(function* () {
    return (yield* (yield* TableRead).count) > 0 ? done : null
  })
})

/** Takes text in upper case and returns it in lower case. */
const lossy = Schema.String.pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform((text: string) => `${text}!`),
    encode: SchemaGetter.transform((text: string) => text)
  })
)

/** A schema whose JSON Schema promises text and whose decoder accepts everything. */
const promising = ToolSchema.described(Schema.Struct({ row: Schema.Unknown }), {
  type: "object",
  properties: { row: { type: "string" } },
  required: ["row"]
})

/** Refuses without naming the field. */
const tightLipped = ToolSchema.described(
  Schema.Struct({ row: Schema.Json }).check(
    Schema.makeFilter(({ row }) => (typeof row === "string" ? undefined : "something is wrong"))
  ),
  { type: "object", properties: { row: { type: "string" } } }
)

export const zoo: Readonly<Record<string, Exhibit>> = {
  "an empty description": exhibit(
    "schemas survive JSON and every format",
    /description is empty/u,
    Tool.fromChecked("t", { ...facts, description: " " }, facts)
  ),
  "parameters that decode to something else each time": exhibit(
    "schemas survive JSON and every format",
    /change on the way/u,
    Tool.make("t", { ...facts, parameters: Schema.Struct({ row: lossy }) })
  ),
  "arguments that the schema forbids and the tool takes": exhibit(
    "wrong arguments are refused by field",
    /row is of type number.*is taken/u,
    Tool.make("t", { ...facts, parameters: promising })
  ),
  "a refusal that does not name the field": exhibit(
    "wrong arguments are refused by field",
    /does not name it: something is wrong/u,
    Tool.make("t", { ...facts, parameters: tightLipped })
  ),
  "a file written by a ReadOnly tool": exhibit(
    "the tier is honest",
    /ReadOnly.*changed the file system \(writeFileSync/u,
    Tool.make("t", { ...facts, execute: inRoot((root) => fs.writeFileSync(path.join(root, "b.txt"), "b")) })
  ),
  "a file removed by a ReadOnly tool with promises": exhibit(
    "the tier is honest",
    /ReadOnly.*changed the file system \(rm /u,
    Tool.make("t", { ...facts, execute: inRoot((root) => fs.promises.rm(path.join(root, "a.txt"))) })
  ),
  "a process started by a ReadOnly tool": exhibit(
    "the tier is honest",
    /ReadOnly.*started a process/u,
    Tool.make("t", { ...facts, execute: inRoot(() => execFileSync("true")) })
  ),
  "a socket opened by a ReadOnly tool": exhibit(
    "the tier is honest",
    /ReadOnly.*opened a socket/u,
    Tool.make("t", { ...facts, execute: inRoot(listening) })
  ),
  "a write past the declared capability": exhibit(
    "the tier is honest",
    /past its capabilities/u,
    Tool.make("t", { ...writing, execute: inRoot((root) => fs.writeFileSync(path.join(root, "b.txt"), "b")) })
  ),
  "a preview that writes": exhibit(
    "previews change nothing",
    /before the approval/u,
    Tool.make("t", {
      ...facts,
      preview: () => Effect.sync(() => (fs.mkdtempSync("/tmp/zoo-"), { render: "adds", preconditions: [] }))
    })
  ),
  "an empty preview": exhibit(
    "previews change nothing",
    /preview is empty/u,
    Tool.make("t", { ...facts, preview: () => Effect.succeed({ render: "", preconditions: [] }) })
  ),
  "a classify that names a tier that does not exist": exhibit(
    "previews change nothing",
    /does not exist/u,
    Tool.make("t", { ...facts, classify: () => Effect.succeed({ tier: "Root" as never }) })
  ),
  "an Idempotent tool that does it twice": exhibit(
    "the replay class holds",
    /Idempotent.*changes the world again/u,
    Tool.make("t", {
      ...writing,
      replay: "Idempotent",
      execute: ({ row }) =>
        Effect.as(
          Effect.flatMap(Table, (table) => table.add(row)),
          done
        )
    })
  ),
  "a Safe tool that does it twice": exhibit(
    "the replay class holds",
    /Safe.*changes the world again/u,
    Tool.make("t", {
      ...writing,
      execute: ({ row }) =>
        Effect.as(
          Effect.flatMap(Table, (table) => table.add(row)),
          done
        )
    })
  ),
  "a findExisting that is blind": exhibit(
    "the replay class holds",
    /does not recognise/u,
    Tool.make("t", { ...facts, replay: "Idempotent", findExisting: () => Effect.succeed(null) })
  ),
  "an output that does not fit": exhibit(
    "results fit their schema and bound",
    /output does not fit.*count/u,
    Tool.make("t", {
      ...facts,
      output: Schema.Struct({ count: Schema.Int }),
      execute: () => Effect.succeed({ output: { count: 0.5 }, display: "Done" })
    })
  ),
  "an empty display": exhibit(
    "results fit their schema and bound",
    /display is empty/u,
    Tool.make("t", { ...facts, execute: () => Effect.succeed({ output: {}, display: "" }) })
  ),
  "a text for the model that is half a character": exhibit(
    "results fit their schema and bound",
    /well-formed/u,
    Tool.make("t", { ...facts, forModel: () => "\uD800" })
  ),
  "a bound that bounds nothing": exhibit(
    "results fit their schema and bound",
    /maxModelBytes is/u,
    Tool.fromChecked("t", { ...facts, maxModelBytes: Number.POSITIVE_INFINITY }, facts)
  ),
  "an error of its own": exhibit(
    "failures are one of the four errors",
    /none of the four/u,
    Tool.make("t", { ...facts, execute: () => Effect.fail(new Error("mine") as unknown as ToolError.ToolError) })
  ),
  "a death where a capability fails": exhibit(
    "failures are one of the four errors",
    /dies where a capability fails/u,
    Tool.make("t", {
      ...writing,
      execute: ({ row }) => Effect.as(Effect.orDie(Effect.flatMap(Table, (table) => table.add(row))), done)
    })
  ),
  "a server that outlives the call": exhibit(
    "interruption and timeout free everything",
    /still holds: 1 of/u,
    Tool.make("t", {
      ...writing,
      execute: ({ row }) => {
        const server = net.createServer().listen(0, "127.0.0.1")
        leaks.push(() => server.close())
        return Effect.as(
          Effect.flatMap(Table, (table) => table.add(row)),
          done
        )
      }
    })
  ),
  "a call that goes on after its interruption": exhibit(
    "interruption and timeout free everything",
    /goes on and calls Table\.add/u,
    Tool.make("t", {
      ...writing,
      execute: ({ row }) =>
        Effect.as(
          Effect.onInterrupt(
            Effect.flatMap(Table, (table) => table.add(row)),
            () => Effect.flatMap(Table, (table) => Effect.asVoid(Effect.forkDetach(table.add(row))))
          ),
          done
        )
    })
  ),
  "a time limit of nothing": exhibit(
    "interruption and timeout free everything",
    /timeoutMillis is 0/u,
    Tool.make("t", { ...facts, timeoutMillis: () => 0 })
  )
}

/** Ends the leftovers of a broken tool. */
export const leaks: Array<() => void> = []

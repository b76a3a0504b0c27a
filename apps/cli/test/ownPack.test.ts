/**
 * A command line with a third-party pack: capabilities, tools and an artifact that Bough does not know, through a whole
 * tree and into its receipts.
 */
import { SessionPack } from "@bough/pack-session"
import { Artifact, Capability, SessionKind, Tool, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { lines, type TestFolder, withTestFolder } from "./program/Bough.ts"
import { bough, type MadeProgram } from "./program/InProcess.ts"
import { type Answer, type Request, say, withModel } from "./program/ModelServer.ts"

class RowsRead extends Capability.make("acme/RowsRead", { floor: "ReadOnly", reach: "Confined" })<
  RowsRead,
  { readonly count: Effect.Effect<number> }
>() {}
class RowsWrite extends Capability.make("acme/RowsWrite", { floor: "System", reach: "Confined" })<
  RowsWrite,
  { readonly add: Effect.Effect<void> }
>() {}
class Till extends Capability.make("acme/Till", { floor: "System", reach: "Confined" })<
  Till,
  { readonly open: Effect.Effect<void> }
>() {}

const RowsChanged = Artifact.make("acme/RowsChanged", { table: Schema.String, rows: Schema.Natural })

const facts = { version: 1, parameters: Schema.Struct({}), output: Schema.Struct({ rows: Schema.Natural }) } as const

const count = Tool.make("count_rows", {
  ...facts,
  description: "Counts the rows",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [RowsRead],
  execute: Effect.fnUntraced(function* () {
    const rows = yield* (yield* RowsRead).count
    return Tool.result({ output: { rows }, display: `${rows} rows` })
  })
})
const add = Tool.make("add_row", {
  ...facts,
  description: "Adds a row",
  tier: "System",
  replay: "Unsafe",
  capabilities: [RowsRead, RowsWrite],
  execute: Effect.fnUntraced(function* () {
    yield* (yield* RowsWrite).add
    const rows = yield* (yield* RowsRead).count
    return Tool.result({ output: { rows }, display: "Added", artifacts: [RowsChanged({ table: "orders", rows: 1 })] })
  })
})
const openTill = Tool.make("open_till", {
  ...facts,
  description: "Opens the till",
  tier: "System",
  replay: "Unsafe",
  capabilities: [Till],
  execute: Effect.fnUntraced(function* () {
    yield* (yield* Till).open
    return Tool.result({ output: { rows: 0 }, display: "Opened" })
  })
})

type Kind = "Main" | "Branch" | "Worker"

/** The calls of the capabilities, by the kind of session that made them, in no order. */
const madeOf = (done: Array<readonly [kind: Kind, what: string]>): MadeProgram => {
  let rows = 0
  const kindOf = ({ sessionPath }: { readonly sessionPath: ReadonlyArray<string> }): Kind =>
    (["Main", "Branch", "Worker"] as const)[sessionPath.length - 1]
  const noting = (kind: Kind, what: string, effect: () => void) =>
    Effect.sync(() => {
      effect()
      done.push([kind, what])
    })
  return {
    packs: {
      main: SessionKind.Main.with(RowsRead, RowsWrite, Till).tools(
        ToolPack.merge(SessionPack.all, ToolPack.make(count, add, openTill))
      ),
      branch: SessionKind.Branch.with(RowsRead, RowsWrite).tools(
        ToolPack.merge(SessionPack.all, ToolPack.make(count, add))
      ),
      worker: SessionKind.Worker.with(RowsRead).tools(ToolPack.make(count))
    },
    options: {
      name: "rows",
      provide: [
        Capability.provide(RowsRead, {
          make: (caller) => ({
            count: Effect.suspend(() =>
              Effect.as(
                noting(kindOf(caller), "count", () => {}),
                rows
              )
            )
          })
        }),
        Capability.provide(RowsWrite, {
          make: (caller) => ({ add: noting(kindOf(caller), "add", () => (rows += 1)) })
        }),
        Capability.provide(Till, { make: (caller) => ({ open: noting(kindOf(caller), "open", () => {}) }) })
      ]
    }
  }
}

const calls = (...names: ReadonlyArray<string>): Answer => ({
  text: "",
  calls: names.map((name) => ({ name, arguments: {} }))
})
const spawn = (kind: "branch" | "worker"): Answer => ({
  text: "",
  calls: [
    { name: `spawn_${kind}`, arguments: { task: `task of the ${kind}` } },
    { name: "wait_for_sessions", arguments: {} }
  ]
})

/** A Main that starts a Branch, which starts a Worker: each calls every tool, including those that it lacks. */
const treeScript = () => {
  const answers: Record<Kind, Array<Answer>> = {
    Main: [calls("count_rows", "add_row", "open_till"), spawn("branch")],
    Branch: [calls("count_rows", "add_row", "open_till"), spawn("worker")],
    Worker: [calls("count_rows", "add_row", "open_till")]
  }
  const textByKind: Record<Kind, string> = { Main: "", Branch: "", Worker: "" }
  const tools: Record<Kind, ReadonlyArray<string>> = { Main: [], Branch: [], Worker: [] }
  const script = (request: Request): Answer => {
    const users = JSON.stringify(request.messages.filter(({ role }) => role === "user"))
    const kind: Kind = users.includes("task of the worker")
      ? "Worker"
      : users.includes("task of the branch")
        ? "Branch"
        : "Main"
    textByKind[kind] = JSON.stringify(request.messages)
    tools[kind] = (request.tools ?? []).map((tool) => tool.function.name)
    return answers[kind].shift() ?? say(`the ${kind} is done`)
  }
  return { script, told: textByKind, tools }
}

const ran = (
  use: (ran: { readonly place: TestFolder; readonly made: MadeProgram; readonly sessionId: string }) => Promise<void>
) =>
  withTestFolder((place) =>
    withModel([calls("add_row"), say("added")], async ({ env }) => {
      const made = madeOf([])
      const ended = await bough(place, ["run", "--format", "json", "go"], { env }, made)
      assert.strictEqual(ended.code, 0, ended.stderr)
      await use({ place, made, sessionId: (JSON.parse(ended.stdout) as { readonly sessionId: string }).sessionId })
    })
  )

describe("a third-party pack", () => {
  it("gives each kind of session exactly its declared capabilities, through a whole tree", () =>
    withTestFolder(async (place) => {
      const done: Array<readonly [Kind, string]> = []
      const { script, told, tools } = treeScript()
      await withModel(script, async ({ env }) => {
        const ended = await bough(place, ["run", "go"], { env }, madeOf(done))
        assert.strictEqual(ended.code, 0, ended.stderr)
      })
      assert.sameDeepMembers(done, [
        ["Main", "count"],
        ["Main", "add"],
        ["Main", "count"],
        ["Main", "open"],
        ["Branch", "count"],
        ["Branch", "add"],
        ["Branch", "count"],
        ["Worker", "count"]
      ])
      const own = (kind: Kind) => tools[kind].filter((name) => ["count_rows", "add_row", "open_till"].includes(name))
      assert.sameMembers([...own("Main")], ["count_rows", "add_row", "open_till"])
      assert.sameMembers([...own("Branch")], ["count_rows", "add_row"])
      assert.sameMembers([...own("Worker")], ["count_rows"])
      assert.notInclude(told.Main, "held by")
      assert.match(told.Branch, /open_till.{0,200}held by Main/s)
      assert.match(told.Worker, /add_row.{0,200}held by Main, Branch/s)
      assert.match(told.Worker, /open_till.{0,200}held by Main/s)
    }))

  it("exports an artifact of its own, which verifies, also without the pack, and is reported if it was changed", () =>
    ran(async ({ made, place, sessionId }) => {
      const exported = await bough(place, ["sessions", "export", sessionId, "--to", "out"], {}, made)
      assert.strictEqual(exported.code, 0, exported.stderr)
      const out = join(place.workspace, "out")
      const artifact = { _tag: "Declared", kind: "acme/RowsChanged", data: { table: "orders", rows: 1 } }
      const [call] = lines(readFileSync(join(out, "REPLAY.jsonl"), "utf8")).map((line) => JSON.parse(line))
      assert.deepStrictEqual(call.artifacts, [artifact])
      const summary = JSON.parse(readFileSync(join(out, "RECEIPT.json"), "utf8"))
      assert.deepStrictEqual(summary.artifacts[0].artifact, artifact)
      assert.deepStrictEqual(RowsChanged.read(summary.artifacts[0].artifact), { table: "orders", rows: 1 })
      for (const input of [made, undefined]) {
        for (const what of ["out", sessionId]) {
          const verified = await bough(place, ["verify", what], {}, input)
          assert.deepStrictEqual([verified.code, verified.stderr], [0, ""], verified.stdout)
        }
        const replayed = await bough(place, ["replay", sessionId], {}, input)
        assert.strictEqual(replayed.code, 0, replayed.stderr)
      }
      for (const file of ["JOURNAL.jsonl", "REPLAY.jsonl", "RECEIPT.json"]) {
        const tampered = join(place.workspace, `tampered-${file}`)
        cpSync(out, tampered, { recursive: true })
        const text = readFileSync(join(tampered, file), "utf8")
        const changed = text.replace(/"table": ?"orders"/u, '"table":"others"')
        assert.notStrictEqual(changed, text, file)
        writeFileSync(join(tampered, file), changed)
        const verified = await bough(place, ["verify", `tampered-${file}`], {}, made)
        assert.strictEqual(verified.code, 1, file)
        assert.include(verified.stdout, file)
      }
    }))
})

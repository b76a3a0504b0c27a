/** Tests of packs in a plain program, on real directories. */
import type { Approval, Receipt } from "@bough/protocol"
import { Capability, Tool, ToolPack, ToolSchema } from "@bough/tool"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { open, type OpenedPack, type OpenOptions } from "../src/index.ts"

const facts = { description: "Does it", version: 1, output: Schema.Struct({ text: Schema.String }) } as const

const result = (text: string) => Tool.result({ output: { text }, display: "Done" })

const read = Tool.make("read_text", {
  ...facts,
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.WorkspaceRead, Capability.SpilledOutput],
  parameters: Schema.Struct({ path: Schema.String, times: ToolSchema.withDefault(Schema.Natural, 1) }),
  execute: Effect.fnUntraced(function* ({ path, times }) {
    if (path.startsWith("blob:")) {
      const spilled = yield* Capability.SpilledOutput
      return result(`${(yield* spilled.read(path.slice("blob:".length))).length} bytes`)
    }
    const workspace = yield* Capability.WorkspaceRead
    const { bytes } = yield* workspace.readFile(path, 1_000_000)
    return result(new TextDecoder().decode(bytes).repeat(times))
  })
})

const write = Tool.make("write_text", {
  ...facts,
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.WorkspaceWrite],
  parameters: Schema.Struct({ path: Schema.String, text: Schema.String }),
  classify: ({ path }) =>
    Effect.succeed(path === "grave.txt" ? { tier: "Elevated", reason: "it is grave" } : { tier: "Workspace" }),
  execute: Effect.fnUntraced(function* ({ path, text }) {
    const workspace = yield* Capability.WorkspaceWrite
    const { bytes, digest } = yield* workspace.writeFile(path, new TextEncoder().encode(text))
    return { ...result("written"), artifacts: [{ _tag: "FileWritten", path, bytes, digest }] }
  })
})

const run = Tool.fromAsync("run_text", {
  ...facts,
  tier: "System",
  replay: "Unsafe",
  capabilities: [Capability.Execution],
  parameters: Schema.Struct({ command: Schema.String }),
  execute: async ({ command }, { Execution }) => result((await Execution.run(command)).stdout)
})

const mark = Tool.make("mark_variable", {
  ...facts,
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.Environment],
  parameters: Schema.Struct({ name: Schema.String }),
  execute: Effect.fnUntraced(function* ({ name }) {
    const environment = yield* Capability.Environment
    const before = yield* environment.set(name, "marked")
    const now = yield* environment.get(name)
    return result(`${before?.value} of the ${before?.from}, ${now?.value} of the ${now?.from}`)
  })
})

const pack = ToolPack.make(read, write, run, mark)

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bough-node-"))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

const opened = (options: Partial<OpenOptions> = {}) => open(pack, { root, ...options })

const host = { execution: { backend: "host" }, environment: { PATH: process.env["PATH"] } } as const

const failure = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => assert.fail("it went well"),
    (error: unknown) => String(error)
  )

describe("open", () => {
  it("returns a function for each tool, whose envelope holds the typed output", async () => {
    writeFileSync(join(root, "a.txt"), "hello ")
    await using tools = await opened()
    const { executionTimeMillis, toolCallId, ...rest } = await tools.read_text({ path: "a.txt", times: 2 })
    assert.deepStrictEqual<unknown>(rest, {
      status: "success",
      result: { output: { text: "hello hello " }, text: '{"text":"hello hello "}', display: "Done", artifacts: [] }
    })
    assert.isAtLeast(executionTimeMillis, 0)
    assert.notStrictEqual(toolCallId, "")
  })

  it("wrong arguments and errors of tools are envelopes, not rejections", async () => {
    await using tools = await opened()
    const wrong = await tools.read_text({ pth: "a.txt" } as never)
    assert.isTrue(wrong.status === "error" && wrong.error._tag === "ValidationError")
    const missing = await tools.read_text({ path: "nothing.txt" })
    assert.strictEqual(missing.status, "error")
  })

  it("paths outside of the root cannot be reached", async () => {
    await using tools = await opened()
    const outside = await tools.read_text({ path: "../../etc/hostname" })
    assert.isTrue(outside.status === "error" && outside.error._tag === "PermissionDenied")
  })

  it("an output too long for a model is returned in full, and its digest can be read as a blob", async () => {
    writeFileSync(join(root, "a.txt"), "é".repeat(20_000))
    const receipts: Array<Receipt.Receipt> = []
    await using tools = await opened({ onReceipt: (receipt) => receipts.push(receipt) })
    const long = await tools.read_text({ path: "a.txt" })
    assert.strictEqual(long.status === "success" ? long.result.output.text : "", "é".repeat(20_000))
    const blob = await tools.read_text({ path: `blob:${receipts[0].outputDigest}` })
    const bytes = Buffer.byteLength(JSON.stringify({ text: "é".repeat(20_000) }))
    assert.strictEqual(blob.status === "success" ? blob.result.output.text : "", `${bytes} bytes`)
  })

  it("every call that ran leaves a receipt, those that were refused leave none", async () => {
    const receipts: Array<Receipt.Receipt> = []
    await using tools = await opened({ onReceipt: (receipt) => receipts.push(receipt) })
    await tools.write_text({ path: "a.txt", text: "x" })
    await tools.write_text({ path: "grave.txt", text: "x" })
    assert.deepStrictEqual(
      receipts.map(({ artifacts, authority, tool }) => [tool, authority._tag, artifacts.length]),
      [["write_text", "Automatic", 1]]
    )
  })

  it("an Elevated call is rejected without an approver", async () => {
    await using tools = await opened()
    const envelope = await tools.write_text({ path: "grave.txt", text: "x" })
    assert.deepInclude(envelope, {
      status: "rejected",
      reason:
        "the request was withdrawn: it is grave, and no approver is configured: pass approve to open or to the call"
    })
    assert.isFalse(existsSync(join(root, "grave.txt")))
  })

  it("approve gets the request, and its approval lets the call run once", async () => {
    const approvalRequests: Array<Approval.Request> = []
    await using tools = await opened({
      approve: (request) => {
        approvalRequests.push(request)
        return approvalRequests.length === 1
      }
    })
    assert.strictEqual((await tools.write_text({ path: "grave.txt", text: "1" })).status, "success")
    assert.strictEqual((await tools.write_text({ path: "grave.txt", text: "2" })).status, "rejected")
    assert.strictEqual(readFileSync(join(root, "grave.txt"), "utf8"), "1")
    const { arguments: callArguments, reason, tier, tool } = approvalRequests[0]
    assert.deepStrictEqual(
      [tool, tier, reason, callArguments],
      ["write_text", "Elevated", "it is grave", '{"path":"grave.txt","text":"1"}']
    )
  })

  it.each([
    ["says no with words", () => ({ denied: "not today" }), { reason: "denied by program", userMessage: "not today" }],
    [
      "throws",
      () => {
        throw new Error("no window")
      },
      { reason: "the request was withdrawn: approve failed: Error: no window" }
    ]
  ] as const)("a call does not run when approve %s", async (_how, approve, expected) => {
    await using tools = await opened({ approve })
    assert.deepInclude(await tools.write_text({ path: "grave.txt", text: "x" }), { status: "rejected", ...expected })
    assert.isFalse(existsSync(join(root, "grave.txt")))
  })

  it("rules deny, and an invalid rule is refused at once", async () => {
    await using tools = await opened({ rules: ["deny write_text path=docs/"] })
    assert.strictEqual((await tools.write_text({ path: "./docs/a.txt", text: "x" })).status, "rejected")
    assert.strictEqual((await tools.write_text({ path: "a.txt", text: "x" })).status, "success")
    assert.include(await failure(opened({ rules: ["deny write_txt"] })), 'names the tool "write_txt"')
  })

  it("a command on the host needs an approval, and sees only its given environment", async () => {
    const environment = { ...host.environment, SECRET: "hunter2-token" }
    await using tools = await opened({ ...host, environment, approve: ({ tier }) => tier === "Elevated" })
    const envelope = await tools.run_text({ command: "echo ${SECRET:-nothing}" })
    assert.strictEqual(
      envelope.status === "success" ? envelope.result.output.text : JSON.stringify(envelope),
      "nothing\n"
    )
    await using careful = await opened(host)
    assert.strictEqual((await careful.run_text({ command: "true" })).status, "rejected")
  })

  it("a tool sees the listed variables, and sets its own beside them", async () => {
    const environment = { LANG: "eo", STAGE: "chosen", OTHER: "unlisted" }
    await using tools = await opened({ environment, execution: { environmentKeys: ["STAGE"] } })
    const texts = await Promise.all(
      ["LANG", "STAGE", "OTHER"].map(async (name) => {
        const envelope = await tools.mark_variable({ name })
        return envelope.status === "success" ? envelope.result.output.text : JSON.stringify(envelope)
      })
    )
    assert.deepStrictEqual(texts, [
      "eo of the process, marked of the session",
      "chosen of the process, marked of the session",
      "undefined of the undefined, marked of the session"
    ])
    assert.strictEqual(environment.LANG, "eo")
  })

  it("secrets are refused as arguments and redacted in outputs", async () => {
    writeFileSync(join(root, "a.txt"), "token hunter2-token")
    await using tools = await opened({ secrets: ["hunter2-token"] })
    const shown = await tools.read_text({ path: "a.txt" })
    assert.strictEqual(shown.status === "success" ? shown.result.output.text : "", "token [redacted]")
    const result = await tools.write_text({ path: "b.txt", text: "hunter2-token" })
    assert.isTrue(result.status === "error" && result.error._tag === "PermissionDenied")
    assert.isFalse(existsSync(join(root, "b.txt")))
  })

  /** Writes its process id once it runs. */
  const forever = "echo $$ > pid; exec sleep 1000"
  const pidOf = async (): Promise<number> => {
    for (;;) {
      const text = existsSync(join(root, "pid")) ? readFileSync(join(root, "pid"), "utf8") : ""
      if (text.endsWith("\n")) return Number(text)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`)

  it("disposing kills running calls, and no call can be made any more", async () => {
    const tools = await opened({ ...host, approve: () => true })
    const running = failure(tools.run_text({ command: forever }))
    const pid = await pidOf()
    await tools[Symbol.asyncDispose]()
    assert.isFalse(isAlive(pid))
    assert.include(await running, "the pack is closed")
    assert.include(await failure(tools.read_text({ path: "a.txt" })), "the pack is closed")
  })

  it("aborting a call kills its processes and leaves the others", async () => {
    await using tools = await opened({ ...host, approve: () => true })
    const controller = new AbortController()
    const running = failure(tools.run_text({ command: forever }, { signal: controller.signal }))
    const pid = await pidOf()
    controller.abort(new Error("changed my mind"))
    assert.include(await running, "changed my mind")
    assert.isFalse(isAlive(pid))
    assert.strictEqual((await tools.write_text({ path: "a.txt", text: "x" })).status, "success")
  })

  it("options of an untyped program without a directory are refused by name", async () => {
    const untyped = open as unknown as (...args: ReadonlyArray<unknown>) => Promise<unknown>
    for (const options of [undefined, {}, { root: 3 }, { directory: root }]) {
      const refusal = String(await untyped(pack, options).catch((thrown: unknown) => thrown))
      assert.include(refusal, "open: root must be the directory of the tools", JSON.stringify(options))
    }
  })

  it("a directory that does not exist is refused at once", async () => {
    assert.include(await failure(opened({ root: join(root, "nowhere") })), "nowhere")
  })
})

class Database extends Capability.make("acme/Database", { floor: "System", labels: ["private"] })<
  Database,
  { readonly query: (sql: string) => Effect.Effect<ReadonlyArray<string>> }
>() {}

describe("a capability that the program provides", () => {
  const tools = ToolPack.make(
    Tool.fromAsync("sql_query", {
      ...facts,
      tier: "System",
      replay: "Unsafe",
      capabilities: [Database],
      parameters: Schema.Struct({ sql: Schema.String }),
      execute: async ({ sql }, { Database }) => result((await Database.query(sql)).join())
    })
  )
  const service = { query: (sql: string) => Effect.succeed([sql.toUpperCase()]) }

  it("serves the tools that declare it, and asks if it is not read-only", async () => {
    const requested: Array<string> = []
    const approve = ({ tool }: Approval.Request) => requested.push(tool) > 0
    await using open_ = await open(tools, { root, approve, provide: [Capability.provide(Database, { service })] })
    const ended = await open_.sql_query({ sql: "select" })
    assert.strictEqual(ended.status === "success" ? ended.result.output.text : ended.status, "SELECT")
    assert.deepStrictEqual(requested, ["sql_query"])
    await using confined = await open(tools, {
      root,
      approve,
      provide: [Capability.provide(Database, { service, reach: "Confined" })]
    })
    assert.strictEqual((await confined.sql_query({ sql: "select" })).status, "success")
    assert.lengthOf(requested, 1)
  })

  it("is denied to an untyped program that does not provide it", async () => {
    const untyped = open as unknown as (...args: ReadonlyArray<unknown>) => Promise<OpenedPack<typeof tools.tools>>
    await using open_ = await untyped(tools, { root })
    assert.deepInclude(await open_.sql_query({ sql: "select" }), {
      status: "error",
      error: {
        _tag: "PermissionDenied",
        tier: "System",
        reason: "this Main session has no Database, which sql_query needs"
      }
    })
  })

  it("is refused if another one has its name, or it is provided twice", async () => {
    class Other extends Capability.make("acme/Database", { floor: "ReadOnly" })<Other, object>() {}
    const other: Capability.Provision = Capability.provide(Other, { service: {} })
    const provision = Capability.provide(Database, { service })
    const refusal = async (provide: ReadonlyArray<Capability.Provision>) =>
      String(await open(tools as never, { root, provide }).catch((thrown: unknown) => thrown))
    assert.include(await refusal([other]), "sql_query: two different capabilities are called acme/Database")
    assert.include(await refusal([provision, provision]), "the capability Database is provided already")
    const commands = Capability.provide(Capability.Execution, { service: { run: () => Effect.never } })
    assert.include(await refusal([commands]), "the capability Execution is provided already")
  })
})

/**
 * The text of seven common results: as the dispatcher returns it to the model, and as a terminal shows the same
 * results.
 */
import { Call, type DispatchContext, Dispatcher, Gate, Ledger, Provenance, Redaction } from "@bough/dispatch"
import { FilesPack } from "@bough/pack-files"
import { ShellPack } from "@bough/pack-shell"
import { Policy } from "@bough/policy"
import { Canonical, Entry, Session } from "@bough/protocol"
import { ProcessRunnerNode, Sandbox } from "@bough/sandbox"
import { Capability, type Tool, ToolContext } from "@bough/tool"
import { Workspace } from "@bough/workspace"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export interface ModelText {
  readonly label: string
  /** The text for the model. */
  readonly shown: string
  /** The text as `cat -n`, `rg -n`, `ls` or a command prints it. */
  readonly plain: string
}

const sources = fileURLToPath(new URL("../../../packages/runtime/src", import.meta.url))

/** Returns typical lines of code. */
const code = (): ReadonlyArray<string> =>
  readdirSync(sources)
    .filter((name) => name.endsWith(".ts"))
    .toSorted()
    .flatMap((name) => readFileSync(join(sources, name), "utf8").split("\n"))

const catNumbered = (lines: ReadonlyArray<string>): string =>
  lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}\n`).join("")

const testReport = [
  ...Array.from({ length: 12 }, (_, index) => ` ✓ test/module${index}.test.ts (${index + 3} tests) ${index * 7 + 4}ms`),
  " ❯ test/server.test.ts (4 tests | 1 failed) 83ms",
  "   × answers what was asked 21ms",
  "     → expected 404 to be 200 // Object.is equality",
  "",
  " FAIL  test/server.test.ts > answers what was asked",
  "AssertionError: expected 404 to be 200 // Object.is equality",
  "",
  "- Expected",
  "+ Received",
  "",
  "- 200",
  "+ 404",
  "",
  " Test Files  1 failed | 12 passed (13)",
  "      Tests  1 failed | 101 passed (102)"
].join("\n")

/** Returns the texts. `folder` is an empty directory. */
export const modelTexts = (folder: string): Promise<ReadonlyArray<ModelText>> =>
  Effect.runPromise(Effect.scoped(made(folder)))

const made = Effect.fnUntraced(function* (folder: string) {
  const lines = code()
  const [short, middle, long] = [lines.slice(0, 22), lines.slice(0, 200), lines.slice(0, 330)]
  mkdirSync(join(folder, "src"))
  const put = (path: string, text: string): void => writeFileSync(join(folder, path), text)
  for (const [name, part] of Object.entries({ short, middle, long })) put(`src/${name}.ts`, `${part.join("\n")}\n`)
  for (let index = 0; index < 20; index++) put(`module-${index}.ts`, "")
  put("report.txt", testReport)
  const call = yield* caller(folder)
  const hits = ["long", "middle", "short"].flatMap((name) =>
    (name === "long" ? long : name === "middle" ? middle : short).flatMap((line, index) =>
      line.includes("import") ? [`src/${name}.ts:${index + 1}:${line}`] : []
    )
  )
  const names = readdirSync(folder).toSorted()
  const read = (path: string) => call("read_file", { path })
  return [
    { label: "22-line file", shown: yield* read("src/short.ts"), plain: catNumbered(short) },
    { label: "200-line file", shown: yield* read("src/middle.ts"), plain: catNumbered(middle) },
    { label: "330-line file", shown: yield* read("src/long.ts"), plain: catNumbered(long) },
    {
      label: "search, 50 hits",
      shown: yield* call("search_files", { pattern: "import", path: "src", limit: 50 }),
      plain: hits.slice(0, 50).join("\n")
    },
    {
      label: `list, ${names.length} entries`,
      shown: yield* call("list_files", {}),
      plain: names.map((name) => (name === "src" ? "src/" : name)).join("\n")
    },
    {
      label: "edit done",
      shown: yield* call("edit_file", { path: "src/short.ts", edits: [{ old: short[0], new: "// changed" }] }),
      plain: "Edited src/short.ts at line 1"
    },
    {
      label: "npm test",
      shown: yield* call("run_command", { command: "cat report.txt; exit 1" }),
      plain: testReport
    }
  ] satisfies ReadonlyArray<ModelText>
})

const sessionId = Session.SessionId.make("tokens")

const caller = Effect.fnUntraced(function* (folder: string) {
  const tools: ReadonlyArray<Tool.Any> = [
    ...Object.values<Tool.Any>(FilesPack.all.tools),
    ...Object.values<Tool.Any>(ShellPack.all.tools)
  ]
  const workspace = yield* Workspace.make({ root: folder }).pipe(Effect.provide(ProcessRunnerNode.layer))
  const files = Workspace.provideWrites(Workspace.provideReads(ToolContext.empty("Main"), workspace), workspace)
  const sandbox = yield* Sandbox.make({}, { PATH: process.env["PATH"] ?? "" })
  const able = ToolContext.provide(
    files,
    Capability.Execution,
    sandbox.provided({ root: workspace.root, writable: true })
  )
  const missing = { read: () => Effect.die("no output was cut") }
  const from: DispatchContext.DispatchContext = {
    registry: new Map(tools.map((tool) => [tool.name, tool])),
    context: ToolContext.provide(able, Capability.SpilledOutput, ToolContext.constant(missing)),
    policy: Policy.defaults,
    redaction: Redaction.none,
    provenance: Provenance.own,
    invocation: {
      sessionId,
      sessionPath: [sessionId],
      agent: "tokens",
      user: null,
      turn: 0,
      step: 0,
      workspaceRoot: workspace.root,
      config: {}
    },
    permits: Semaphore.makeUnsafe(8),
    observe: () => Effect.void
  }
  let calls = 0
  return Effect.fnUntraced(function* (name: string, parameters: object) {
    const dispatched = yield* Dispatcher.dispatch(
      {
        toolCallId: Session.ToolCallId.make(`call-${++calls}`),
        name,
        arguments: JSON.stringify(parameters),
        labels: [],
        prior: null
      },
      from
    ).pipe(Effect.provideContext(ports), Effect.orDie)
    return textOf(name, dispatched)
  })
})

const textOf = (name: string, dispatched: Call.DispatchResult): string => {
  if (dispatched._tag === "Ended" && dispatched.outcome._tag === "Succeeded") {
    return Entry.modelText(dispatched.outcome)
  }
  throw new Error(`${name} did not succeed: ${JSON.stringify(dispatched)}`)
}

/** Approves the command, which requires approval without a sandbox. The command here only prints a file. */
const ports = Context.make(Gate.Gate, {
  ask: (call, preview, { reason }) =>
    Effect.succeed({
      _tag: "Approved" as const,
      request: Gate.requestOf(call, {
        approvalId: Session.ApprovalId.make(call.toolCallId),
        sessionPath: [sessionId],
        preview,
        reason,
        askedAtMillis: 0,
        expiresAtMillis: 0
      }),
      decision: { _tag: "Approved" as const, rule: null },
      principal: "benchmark"
    }),
  lapse: () => Effect.void
}).pipe(
  Context.add(Ledger.Ledger, {
    started: () => Effect.void,
    secure: Effect.void,
    ended: () => Effect.void,
    spill: (bytes) => Effect.succeed(Canonical.digest(bytes))
  })
)

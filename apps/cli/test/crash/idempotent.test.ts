/**
 * Idempotent tools of the packs, stopped between their effect and its record: the next process reports the effect, with
 * a receipt, and the result is the same as after one call.
 */
import { type Call, type DispatchContext, Dispatcher, Gate, Ledger, Provenance, Redaction } from "@bough/dispatch"
import { Fusion, Memory } from "@bough/memory"
import { FilesPack } from "@bough/pack-files"
import { MemoryPack } from "@bough/pack-memory"
import { Policy } from "@bough/policy"
import { Session } from "@bough/protocol"
import { ProcessRunnerNode } from "@bough/sandbox"
import { SessionStoreSql } from "@bough/store-sqlite"
import { Capability, type Invocation, ToolContext, ToolPack } from "@bough/tool"
import { Workspace } from "@bough/workspace"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const tools = ToolPack.merge(FilesPack.all, MemoryPack.all).tools

const place = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "bough-idempotent-")))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const begin = Effect.gen(function* () {
  const folder = yield* place
  const root = join(folder, "root")
  mkdirSync(join(root, "full"), { recursive: true })
  for (const name of ["a.txt", "b.txt", "full/c.txt"]) writeFileSync(join(root, name), `${name}\n`)
  const workspace = yield* Workspace.make({ root }).pipe(Effect.provide(ProcessRunnerNode.layer))
  const stores = yield* Layer.build(Layer.fresh(SessionStoreSql.layer({ directory: join(folder, "home") })))
  const memory = yield* Memory.make({
    directory: join(folder, "memory"),
    embedder: null,
    weights: Fusion.defaultWeights,
    onProgress: () => {}
  }).pipe(Effect.provideContext(stores))
  const files = Workspace.provideWrites(Workspace.provideReads(ToolContext.empty("Main"), workspace), workspace)
  const provided = <S>(make: (invocation: Invocation.Invocation["Service"]) => S) => ({
    make,
    reach: "Confined" as const,
    preconditions: []
  })
  const reads = provided((invocation) => memory.read(invocation, () => {}))
  const writes = provided((invocation) => memory.write(invocation))
  const context = ToolContext.provide(
    ToolContext.provide(files, Capability.MemoryRead, reads),
    Capability.MemoryWrite,
    writes
  )
  return { root, context }
})

const caller = (root: string, context: ToolContext.ToolContext): DispatchContext.DispatchContext => ({
  registry: new Map(Object.entries(tools)),
  context,
  policy: Policy.defaults,
  redaction: Redaction.make([]),
  provenance: Provenance.own,
  invocation: {
    sessionId: Session.SessionId.make("s"),
    sessionPath: [],
    agent: "test",
    user: "ann",
    turn: 1,
    step: 1,
    workspaceRoot: root,
    config: {}
  },
  permits: Semaphore.makeUnsafe(1),
  observe: () => Effect.void
})

const noted = new Ledger.NotRecorded({ cause: "killed" })

interface ObservedCall {
  started: Call.PreparedCall | null
  ended: Call.CallEnd | null
  isDead: boolean
}

/** Everything is approved. A dead process records no end. */
const portsOf = (seen: ObservedCall) =>
  Context.make(Gate.Gate, {
    ask: (call, preview, { reason }) =>
      Effect.succeed<Call.Verdict>({
        _tag: "Approved",
        request: Gate.requestOf(call, {
          approvalId: Session.ApprovalId.make("approval-1"),
          sessionPath: [],
          preview,
          reason,
          askedAtMillis: 0,
          expiresAtMillis: 1
        }),
        decision: { _tag: "Approved", rule: null },
        principal: "ann"
      }),
    lapse: () => Effect.void
  }).pipe(
    Context.add(Ledger.Ledger, {
      secure: Effect.void,
      started: (call) => Effect.sync(() => void (seen.started = call)),
      ended: (_, ended) => (seen.isDead ? Effect.fail(noted) : Effect.sync(() => void (seen.ended = ended))),
      spill: () => Effect.succeed("")
    })
  )

const lines = (root: string, name: string): string => readFileSync(join(root, name), "utf8")

interface Case {
  readonly tool: string
  readonly given: object
  /** True if the state equals the one after a single call. */
  readonly holds: (root: string) => boolean
}

const cases: ReadonlyArray<Case> = [
  { tool: "delete_path", given: { path: "a.txt" }, holds: (root) => !existsSync(join(root, "a.txt")) },
  { tool: "delete_path", given: { path: "full" }, holds: (root) => !existsSync(join(root, "full")) },
  {
    tool: "move_path",
    given: { from: "a.txt", to: "moved.txt" },
    holds: (root) => !existsSync(join(root, "a.txt")) && lines(root, "moved.txt") === "a.txt\n"
  },
  {
    tool: "copy_path",
    given: { from: "a.txt", to: "copy.txt" },
    holds: (root) => lines(root, "copy.txt") === "a.txt\n"
  },
  {
    tool: "write_file",
    given: { path: "b.txt", content: "new\n" },
    holds: (root) => lines(root, "b.txt") === "new\n"
  },
  {
    tool: "edit_file",
    given: { path: "a.txt", edits: [{ old: "a.txt", new: "a.txt and more" }] },
    holds: (root) => lines(root, "a.txt") === "a.txt and more\n"
  },
  { tool: "create_directory", given: { path: "made" }, holds: (root) => existsSync(join(root, "made")) },
  { tool: "save_memory", given: { content: "Stand-up is at half past nine" }, holds: () => true },
  {
    tool: "write_memory_file",
    given: { path: "plan.md", content: "> Summary: a plan\n\n# Plan\n" },
    holds: () => true
  }
]

/** The call, killed after its effect, and repeated by the next process. */
const killed = Effect.fnUntraced(function* (
  asked: Omit<Call.RequestedCall, "prior">,
  agent: DispatchContext.DispatchContext
) {
  const seen: ObservedCall = { started: null, ended: null, isDead: true }
  const ports = portsOf(seen)
  yield* Effect.exit(Effect.provideContext(Dispatcher.dispatch({ ...asked, prior: null }, agent), ports))
  const { started } = seen
  if (started === null) return assert.fail("it was not started")
  seen.isDead = false
  const prior: Call.Prior = {
    attempts: started.attempt,
    preconditions: started.preconditions,
    version: started.tool.version,
    tier: started.tier,
    argumentsDigest: started.argumentsDigest,
    authority: started.authority
  }
  yield* Effect.provideContext(Dispatcher.dispatch({ ...asked, prior }, agent), ports)
  return seen.ended
})

const askedOf = (tool: string, parameters: object) => ({
  toolCallId: Session.ToolCallId.make("call-1"),
  name: tool,
  arguments: JSON.stringify(parameters),
  labels: []
})

describe("An Idempotent call that was killed after its effect", () => {
  it.live.each(cases)("is reported as done: $tool $given", ({ given, holds, tool }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { context, root } = yield* begin
        const ended = yield* killed(askedOf(tool, given), caller(root, context))
        assert.strictEqual(ended?.outcome._tag, "Succeeded", JSON.stringify(ended?.outcome))
        assert.isNotNull(ended?.receipt)
        assert.isTrue(holds(root))
      })
    )
  )

  it.live("is reported as done: delete_memory", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { context, root } = yield* begin
        const agent = caller(root, context)
        const saved = yield* killed(askedOf("save_memory", { content: "The office is on the third floor" }), agent)
        const output = saved?.outcome._tag === "Succeeded" ? saved.outcome.output : assert.fail("not saved")
        const { noteId } = JSON.parse(output) as { readonly noteId: string }
        const ended = yield* killed(
          { ...askedOf("delete_memory", { noteId }), toolCallId: Session.ToolCallId.make("c2") },
          agent
        )
        assert.strictEqual(ended?.outcome._tag, "Succeeded", JSON.stringify(ended?.outcome))
        assert.deepStrictEqual(ended?.receipt?.artifacts, [{ _tag: "MemoryDeleted", noteId }])
      })
    )
  )
})

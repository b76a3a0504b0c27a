/** Runs one tool as the dispatcher would after its checks, over a real memory, scratchpad and journal. */
import { Fusion, Memory, Scratchpads } from "@bough/memory"
import { Session, type ToolError } from "@bough/protocol"
import { SessionHistory, type SessionStore } from "@bough/runtime"
import { SessionStoreSql } from "@bough/store-sqlite"
import { Capability, Invocation, type NoteStore, Progress, type Tool } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

type Capabilities = Capability.MemoryRead | Capability.MemoryWrite | Capability.Scratchpad | Capability.History

export const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-pack-memory-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

interface ToolRun<O extends Tool.Codec> {
  readonly display: string
  readonly output: O["Encoded"]
}

/** `run` decodes arguments as JSON has them and encodes the output as the model reads it. */
export const make = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const stores = yield* Layer.build(Layer.fresh(SessionStoreSql.layer({ directory })))
  const memoryIn = (project: string | null) =>
    Memory.make({
      directory: join(directory, "memory"),
      project,
      embedder: null,
      weights: Fusion.defaultWeights,
      onProgress: () => {}
    }).pipe(Effect.provideContext(stores))
  const here = yield* memoryIn("/here")
  const scratchpad = yield* Effect.provideContext(Scratchpads.make, stores)
  const history = yield* Effect.provideContext(SessionHistory.make, stores)
  let calls = 0

  const run = Effect.fnUntraced(function* <Name extends string, P extends Tool.Codec, O extends Tool.Codec>(
    tool: Tool.Tool<Name, P, O, Capabilities>,
    value: P["Encoded"],
    who: { readonly user?: string | null; readonly session?: string; readonly project?: string | null } = {}
  ): Effect.fn.Return<ToolRun<O>, ToolError.ToolError> {
    const memory = who.project === undefined ? here : yield* Effect.scoped(memoryIn(who.project))
    const parameters = yield* Effect.orDie(Schema.decodeUnknownEffect(tool.parameters)(value))
    const invocation: Invocation.Invocation["Service"] = {
      sessionId: Session.SessionId.make(who.session ?? "s"),
      sessionPath: [],
      agent: "test",
      user: who.user === undefined ? "ann" : who.user,
      turn: 0,
      step: 0,
      toolCallId: Session.ToolCallId.make("c"),
      callKey: `k${calls++}`,
      labels: [],
      workspaceRoot: "/",
      config: {},
      grants: [],
      facts: []
    }
    const execute: Effect.Effect<
      Tool.ToolResult<O["Type"]>,
      ToolError.ToolError,
      Capabilities | Tool.Always
    > = tool.execute(parameters)
    const services = Context.make(
      Capability.MemoryRead,
      memory.read(invocation, () => {})
    ).pipe(
      Context.add(Capability.MemoryWrite, memory.write(invocation)),
      Context.add(Capability.Scratchpad, scratchpad(invocation)),
      Context.add(Capability.History, history(invocation)),
      Context.add(Invocation.Invocation, invocation),
      Context.add(Progress.Progress, { report: () => Effect.void })
    )
    const { display, output } = yield* Effect.scoped(execute).pipe(Effect.provideContext(services))
    return { display, output: yield* Effect.orDie(Schema.encodeUnknownEffect(tool.output)(output)) }
  })

  const inJournal = <A, E>(body: Effect.Effect<A, E, SessionStore.SessionStore | NoteStore.NoteStore>) =>
    Effect.provideContext(body, stores)
  return { run, inJournal }
})

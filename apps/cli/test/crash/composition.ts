/**
 * A whole agent over real adapters: SQLite journal, file tools, commands, a model that answers by the content of its
 * prompt, so that a repeated request gets the same answer, and a user who approves. Shared by the parent test and the
 * process that it kills.
 */
import { FilesPack } from "@bough/pack-files"
import { ShellPack } from "@bough/pack-shell"
import type { Approval, Event } from "@bough/protocol"
import { Channel, Model, Session, SessionStore } from "@bough/runtime"
import * as SampleAgent from "@bough/runtime/testing/SampleAgent"
import { ProcessRunnerNode, Sandbox } from "@bough/sandbox"
import { WorkspaceSnapshots } from "@bough/snapshots"
import { SessionStoreSql } from "@bough/store-sqlite"
import { Capability, SessionKind, ToolContext, ToolPack } from "@bough/tool"
import { Workspace } from "@bough/workspace"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { realpathSync } from "node:fs"
import { join } from "node:path"

export type Backend = "host" | "bubblewrap"

export interface TestFolder {
  readonly home: string
  readonly workspace: string
  readonly backend: Backend
  /** Records the workspace around calls, in `home`. */
  readonly isRecorded?: boolean
}

/** Commands append a line to this file each time they run. */
export const effectsFile = "effects.log"

const call = (name: string, args: unknown) => ({ name, text: JSON.stringify(args) })

/** The replies of the model, in order. */
export const replies: ReadonlyArray<ReadonlyArray<ReturnType<typeof call>>> = [
  [
    call("read_file", { path: "in.txt" }),
    call("write_file", { path: "out.txt", content: "written\n" }),
    call("run_command", { command: `echo one >> ${effectsFile}` })
  ],
  [call("run_command", { command: `echo two >> ${effectsFile}` })]
]

export const lastWords = "all done"

const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null }

const model: Model.Model["Service"] = {
  name: "test/steady",
  contextTokens: null,
  priced: false,
  stream: (prompt) => {
    const replyCount = prompt.messages.filter(({ _tag }) => _tag === "Assistant").length
    const calls = replies[replyCount]
    if (calls === undefined) {
      return Stream.fromIterable<Model.ModelPart>([
        { _tag: "Text", text: lastWords },
        { _tag: "End", reason: "stop", ...usage }
      ])
    }
    const parts = calls.flatMap(({ name, text }, index): ReadonlyArray<Model.ModelPart> => {
      const callId = `call_${replyCount}_${index}`
      return [
        { _tag: "ToolCallStart", callId, name },
        { _tag: "ToolCallArguments", callId, text }
      ]
    })
    return Stream.fromIterable<Model.ModelPart>([...parts, { _tag: "End", reason: "toolCalls", ...usage }])
  }
}

export interface Watcher {
  readonly onApprovalRequested: (request: Approval.Request) => void
  readonly onEvent: (event: Event.Event) => void
}

const channelOf = (watcher: Watcher): Channel.Channel["Service"] => ({
  name: "test",
  ask: (request) =>
    Effect.sync(() => {
      watcher.onApprovalRequested(request)
      return { decision: { _tag: "Approved", rule: null }, principal: "ada" }
    }),
  publish: (event) => Effect.sync(() => watcher.onEvent(event))
})

const pack = ToolPack.merge(FilesPack.all, ShellPack.all)

/** The recorded states of the workspace. */
export const snapshotsOf = ({ home, workspace }: TestFolder) =>
  WorkspaceSnapshots.make({ root: realpathSync(workspace), directory: join(home, "snapshots") })

const agentOf = Effect.fnUntraced(function* (place: TestFolder) {
  const { backend, workspace } = place
  const files = yield* Workspace.make({ root: workspace })
  const sandbox = yield* Sandbox.make({ backend }, { PATH: process.env["PATH"] })
  const recorded = place.isRecorded === true ? { snapshots: yield* snapshotsOf(place) } : {}
  return SampleAgent.make(SessionKind.Main.tools(pack), {
    workspace: { root: workspace, ...recorded },
    context: ToolContext.provide(
      Workspace.provideWrites(Workspace.provideReads(ToolContext.empty("Main"), files), files),
      Capability.Execution,
      sandbox.provided({ root: workspace, writable: true })
    )
  })
})

/** Continues the newest session, or starts one; runs until no work is left. */
export const workOn = Effect.fnUntraced(function* (place: TestFolder, watcher: Watcher) {
  const store = yield* SessionStore.SessionStore
  const [known] = yield* store.list({ workspaceRoot: null, limit: 1 })
  const agent = yield* agentOf(place)
  const session = yield* Session.open({ agent, sessionId: known?.sessionId ?? null }).pipe(
    Effect.provideService(Model.Model, model),
    Effect.provideService(Channel.Channel, channelOf(watcher))
  )
  const resumed = yield* session.resume
  if (resumed === null) {
    const entries = yield* store.entries(session.sessionId, 0, 1000)
    if (!entries.some(({ body }) => body._tag === "UserMessage")) yield* session.run({ text: "go", media: [] })
  }
  return session.sessionId
}, Effect.scoped)

export const adapters = ProcessRunnerNode.layer

/** The journal in `home`; `wrap` intercepts every call of the store. */
export const withStore = <A, E>(
  place: TestFolder,
  wrap: (store: SessionStore.SessionStore["Service"]) => SessionStore.SessionStore["Service"],
  effect: Effect.Effect<A, E, StoreNeeds>
) =>
  Effect.updateService(effect, SessionStore.SessionStore, wrap).pipe(
    Effect.provide(Layer.provideMerge(SessionStoreSql.layer({ directory: place.home }), adapters))
  )

type StoreNeeds = Effect.Services<ReturnType<typeof workOn>>

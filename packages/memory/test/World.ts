/** A memory over a real session database and the embedded model, in a folder that is removed with the test. */
import * as EmbeddingStatic from "@bough/embedding-static"
import { Session } from "@bough/protocol"
import { SessionStoreSql } from "@bough/store-sqlite"
import { type Invocation, NoteStore } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Embedder, Fusion, Memory, type NoteIndex } from "../src/index.ts"

export const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-memory-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

export const staticModel: Embedder.Model = EmbeddingStatic.model

export const caller = (user: string | null, call = "call"): Invocation.Invocation["Service"] => ({
  sessionId: Session.SessionId.make("s"),
  sessionPath: [],
  agent: "test",
  user,
  turn: 1,
  step: 1,
  toolCallId: Session.ToolCallId.make(call),
  callKey: `${user} ${call}`,
  labels: [],
  workspaceRoot: "/",
  config: {},
  grants: [],
  facts: []
})

export interface Opening {
  readonly model?: Embedder.Model | null
  readonly onProgress?: NoteIndex.Progress
  /** The staging key of `save`. */
  readonly hold?: string
  /** Default 0: every memory has its table. */
  readonly largestExact?: number
  /** The entry module of LanceDB; only needed if LanceDB is not installed beside the package. */
  readonly library?: string
}

export const indexIn = (directory: string): string => join(directory, "memory", "index", "vectors")

/** Opens the memory in the way a process does; it is closed with the scope. */
export const open = Effect.fnUntraced(function* (directory: string, opening: Opening = {}) {
  const context = yield* Layer.build(Layer.fresh(SessionStoreSql.layer({ directory })))
  const store = Context.get(context, NoteStore.NoteStore)
  const model = opening.model === undefined ? staticModel : opening.model
  const memory = yield* Memory.make({
    directory: join(directory, "memory"),
    embedder: model === null ? null : yield* Embedder.make(model),
    weights: Fusion.defaultWeights,
    onProgress: opening.onProgress ?? (() => {}),
    largestExact: opening.largestExact ?? 0,
    library: opening.library ?? null
  }).pipe(Effect.provideContext(context))
  let calls = 0
  const save = (text: string, user = "ann", tags: ReadonlyArray<string> = []) =>
    memory
      .write(caller(user, `${directory} ${calls++} ${process.pid} ${text}`), opening.hold ?? null)
      .save({ text, tags, kind: null, secrets: "refuse" })
  const find = (text: string, user = "ann", limit = 5) =>
    Effect.map(memory.search({ user, hold: null }, { text, limit, tags: [], kinds: [] }), ({ notes }) =>
      notes.map(({ note }) => note.text)
    )
  return { memory, store, save, find }
})

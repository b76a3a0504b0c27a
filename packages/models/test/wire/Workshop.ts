/** A session of the real loop over a model: tools that read real files and run real processes of a temporary directory. */
import { ToolError } from "@bough/protocol"
import { BlobStoreMemory, Channel, Model, Session, SessionStore, SessionStoreMemory } from "@bough/runtime"
import * as SampleAgent from "@bough/runtime/testing/SampleAgent"
import { Tool, ToolPack } from "@bough/tool"
import * as SampleCapability from "@bough/tool/testing/SampleCapability"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const pixel = { mediaType: "image/png", data: "iVBORw0KGgo=" }

export interface Workshop {
  readonly folder: string
  /** One line per call that ran, in the order of starting. */
  readonly ran: Array<string>
  /** Reads start to answer once this many are running. */
  readonly together: number
}

export const make = (together = 1): Effect.Effect<Workshop, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => ({ folder: mkdtempSync(join(tmpdir(), "bough-models-")), ran: [], together })),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

export const write = ({ folder }: Workshop, name: string, content: string): void =>
  writeFileSync(join(folder, name), content)

const output = Schema.Struct({ text: Schema.String })
const facts = { version: 1, output, capabilities: [] } as const
const failed = (error: unknown) =>
  new ToolError.ExecutionError({ message: error instanceof Error ? error.message : String(error) })

export const tools = (workshop: Workshop) => {
  const enough = Latch.makeUnsafe(workshop.together === 1)
  const readFile = Tool.make("read_file", {
    ...facts,
    description: "Read a file",
    tier: "ReadOnly",
    replay: "Safe",
    parameters: Schema.Struct({ path: Schema.String }),
    execute: Effect.fnUntraced(function* ({ path }) {
      workshop.ran.push(`read ${path}`)
      if (workshop.ran.length >= workshop.together) yield* enough.open
      yield* enough.await
      const text = yield* Effect.try({ try: () => readFileSync(join(workshop.folder, path), "utf8"), catch: failed })
      const media = path.endsWith(".png") ? [pixel] : []
      return Tool.result({ output: { text }, display: `Read ${path}`, media })
    })
  })
  const runCommand = Tool.make("run_command", {
    ...facts,
    capabilities: [SampleCapability.Inside],
    description: "Run a program",
    tier: "Workspace",
    replay: "Unsafe",
    parameters: Schema.Struct({ argv: Schema.NonEmptyArray(Schema.String) }),
    execute: Effect.fnUntraced(function* ({ argv: [program, ...rest] }) {
      workshop.ran.push(`run ${rest.join(" ")}`)
      const text = yield* Effect.callback<string, ToolError.ExecutionError>((resume) => {
        execFile(program, rest, { cwd: workshop.folder }, (error, stdout) =>
          resume(error === null ? Effect.succeed(stdout) : Effect.fail(failed(error)))
        )
      })
      return Tool.result({ output: { text }, display: "Ran it" })
    })
  })
  return [readFile, runCommand] as const
}

const agentOf = (workshop: Workshop, options: SampleAgent.SampleParts) =>
  SampleAgent.make(
    { kind: "Main", pack: ToolPack.make(...tools(workshop)) },
    { ...options, workspace: { root: workshop.folder, ...options.workspace } }
  )

export const layer = Layer.mergeAll(
  SessionStoreMemory.layer,
  BlobStoreMemory.layer,
  Layer.succeed(Channel.Channel, { name: "test", ask: null, publish: () => Effect.void })
)

export const open = (workshop: Workshop, model: Model.Model["Service"], options: SampleAgent.SampleParts = {}) =>
  Session.open({ agent: agentOf(workshop, options), sessionId: null }).pipe(Effect.provideService(Model.Model, model))

export const entries = Effect.fnUntraced(function* ({ sessionId }: Session.Session) {
  const store = yield* SessionStore.SessionStore
  return (yield* store.entries(sessionId, 0, 1000)).map(({ body }) => body)
})

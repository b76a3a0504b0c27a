/** A pack with a tool for each feature that can cross, opened on a real directory. */
import { ToolError } from "@bough/protocol"
import { open, type OpenOptions } from "@bough/sdk"
import { Capability, Progress, Tool, ToolPack, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const facts = { version: 1, replay: "Unsafe", output: Schema.Struct({ text: Schema.String }) } as const

const result = (text: string) => Tool.result({ output: { text }, display: `Said ${text}` })

const note = Tool.make("write_note", {
  ...facts,
  description: "Write a note",
  tier: "Workspace",
  capabilities: [Capability.WorkspaceRead, Capability.WorkspaceWrite],
  parameters: Schema.Struct({
    path: Schema.NonEmptyString.annotate({ description: "Where to" }),
    text: ToolSchema.withDefault(Schema.String, "empty")
  }),
  classify: ({ path }) =>
    Effect.succeed(
      path.startsWith("elevated") ? { tier: "Elevated", reason: "it is an elevated note" } : { tier: "Workspace" }
    ),
  // The file's old content is part of the preview.
  preview: Effect.fnUntraced(function* ({ path, text }) {
    const workspace = yield* Capability.WorkspaceRead
    const before = yield* Effect.option(workspace.readFile(path, 1_000))
    const known = before._tag === "Some" ? new TextDecoder().decode(before.value.bytes) : "nothing"
    return { render: `${path}: ${known} becomes ${text}`, preconditions: [] }
  }),
  execute: Effect.fnUntraced(function* ({ path, text }) {
    const workspace = yield* Capability.WorkspaceWrite
    yield* workspace.writeFile(path, new TextEncoder().encode(text))
    return result(text)
  })
})

const draw = Tool.make("draw", {
  ...facts,
  description: "Draw a dot",
  tier: "ReadOnly",
  capabilities: [],
  parameters: Schema.Struct({}),
  execute: () => Effect.succeed({ ...result("a dot"), media: [{ mediaType: "image/png", data: dot }] })
})

/** A PNG of one pixel. */
export const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const count = Tool.make("count_up", {
  ...facts,
  description: "Count up",
  tier: "ReadOnly",
  capabilities: [],
  parameters: Schema.Struct({ to: Schema.Natural }),
  execute: Effect.fnUntraced(function* ({ to }) {
    const progress = yield* Progress.Progress
    for (let at = 1; at <= to; at++) yield* progress.report(`at ${at}`)
    return result(`${to}`)
  })
})

const fail = Tool.make("fail_as", {
  ...facts,
  replay: "Safe",
  description: "Fail",
  tier: "ReadOnly",
  capabilities: [],
  parameters: Schema.Struct({ how: Schema.Literals(["execution", "permission", "timeout"]) }),
  execute: ({ how }) =>
    Effect.fail(
      how === "execution"
        ? new ToolError.ExecutionError({ message: "the disk is full", hint: "delete something" })
        : how === "permission"
          ? new ToolError.PermissionDenied({ tier: "System", reason: "not for you" })
          : new ToolError.Timeout({ elapsedMillis: 7 })
    )
})

const day = Tool.make("read_day", {
  version: 1,
  replay: "Safe",
  description: "Read the day",
  tier: "ReadOnly",
  capabilities: [],
  parameters: Schema.Struct({}),
  output: Schema.Struct({ at: Schema.DateFromString, size: Schema.BigInt }),
  forModel: ({ at }) => `the day is ${at.toISOString().slice(0, 10)}`,
  execute: () =>
    Effect.succeed(Tool.result({ output: { at: new Date("2026-01-02T00:00:00Z"), size: 12n }, display: "A day" }))
})

const long = Tool.make("say_much", {
  ...facts,
  description: "Say much",
  tier: "ReadOnly",
  capabilities: [],
  parameters: Schema.Struct({}),
  execute: () => Effect.succeed(result("x".repeat(40_000)))
})

/** The events of `wait_forever`. */
export interface Waits {
  readonly started: PromiseWithResolvers<void>
  readonly interrupted: PromiseWithResolvers<void>
}

const waiting = (waits: Waits) =>
  Tool.make("wait_forever", {
    ...facts,
    description: "Wait",
    // Longer than any test: only an abort ends it.
    timeoutMillis: 600_000,
    tier: "ReadOnly",
    capabilities: [],
    parameters: Schema.Struct({}),
    execute: () =>
      Effect.sync(() => waits.started.resolve()).pipe(
        Effect.andThen(Effect.never),
        Effect.onInterrupt(() => Effect.sync(() => waits.interrupted.resolve()))
      )
  })

/** Opens the pack below a new directory, which is removed when it is disposed of. */
export const openWorld = async (options: Partial<OpenOptions> = {}) => {
  const root = mkdtempSync(join(tmpdir(), "bough-bridges-"))
  const waits: Waits = { started: Promise.withResolvers(), interrupted: Promise.withResolvers() }
  const opened = await open(ToolPack.make(note, draw, count, fail, day, long, waiting(waits)), { root, ...options })
  return {
    root,
    opened,
    waits,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]()
      rmSync(root, { recursive: true })
    }
  }
}

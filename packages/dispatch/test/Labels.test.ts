/** Labels of calls whose handler did not run: their errors may quote what the tool read before. */
import { Policy } from "@bough/policy"
import { ToolError } from "@bough/protocol"
import { Capability, Tool, ToolContext, type WorkspaceRead } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Done, done, requestFor, world } from "./Harness.ts"

const quoting = Effect.flatMap(Capability.WorkspaceRead, () =>
  Effect.fail(new ToolError.ExecutionError({ message: "old is not in the file; the nearest is: obey me" }))
)
const reading = Effect.asVoid(Capability.WorkspaceRead)

/** A workspace that reports a label for each use. */
const context = ToolContext.provide(ToolContext.empty("Main"), Capability.WorkspaceRead, {
  make: (_, mark) => {
    mark("untrusted")
    return {} as WorkspaceRead.WorkspaceRead["Service"]
  },
  reach: "Confined",
  preconditions: []
})

const facts = {
  version: 1,
  description: "Changes it",
  tier: "Workspace",
  capabilities: [Capability.WorkspaceRead],
  parameters: Schema.Struct({}),
  output: Done,
  execute: () => Effect.as(reading, done)
} as const

const tools = {
  classify: Tool.make("change", { ...facts, replay: "Unsafe", classify: () => quoting }),
  preview: Tool.make("change", { ...facts, replay: "Idempotent", preview: () => quoting }),
  denial: Tool.make("change", {
    ...facts,
    replay: "Unsafe",
    classify: () => Effect.as(reading, { tier: "Elevated", reason: "obey me" } as const)
  })
}

describe("Labels", () => {
  for (const [stage, tool] of Object.entries(tools)) {
    it.effect(`of a call that ended before its handler ran (${stage}) are those of the text that it read`, () =>
      Effect.gen(function* () {
        const { end, records } = world({ tools: [tool], context, policy: Policy.defaults, answers: [{ deny: null }] })
        const { outcome } = yield* end(requestFor("change", {}))
        assert.notStrictEqual(outcome._tag, "Succeeded")
        assert.deepStrictEqual(
          records.ended.map(({ labels }) => [...labels].toSorted()),
          [["private", "untrusted"]]
        )
      })
    )
  }

  it.effect("of a call that read nothing are those of its tool", () =>
    Effect.gen(function* () {
      const { end, records } = world({ tools: [tools.denial], context })
      yield* end(requestFor("change", { surplus: true }))
      assert.deepStrictEqual(records.ended[0].labels, ["private"])
    })
  )
})

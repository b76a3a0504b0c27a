/** Tests of the assessed tier of a call. */
import { ToolError } from "@bough/protocol"
import { Capability, type Tool, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { requestFor, fake, holding, world } from "./Harness.ts"
import { any } from "./Tools.ts"

class Database extends Context.Service<Database, { readonly rows: number }>()("app/Database") {
  static readonly floor = "Workspace"
}

const tierOf = (parts: Partial<Tool.Any>, context: ToolContext.ToolContext) =>
  Effect.gen(function* () {
    const { dispatch, records } = world({ tools: [any(parts)], context, answers: ["approve"] })
    const dispatched = yield* dispatch(requestFor("read_file", { path: "a" }))
    const receipt = dispatched._tag === "Ended" ? dispatched.receipt : null
    return { tier: receipt?.tier, reason: records.requests[0]?.reason ?? null, dispatched }
  })

const held = holding(Capability.WorkspaceRead, Capability.WorkspaceWrite, Capability.Execution)

describe("assessTier", () => {
  it.effect("a tool that claims a tier below a capability's floor is raised to it", () =>
    Effect.gen(function* () {
      const { tier } = yield* tierOf({ tier: "ReadOnly", capabilities: [Capability.Execution] }, held)
      assert.strictEqual(tier, "System")
    })
  )

  it.effect("a pack's own capability has the floor that it declares", () =>
    Effect.gen(function* () {
      const { tier } = yield* tierOf({ tier: "ReadOnly", capabilities: [Database] }, holding(Database))
      assert.strictEqual(tier, "Workspace")
    })
  )

  it.effect("classify raises a call, and its reason is shown to the user", () =>
    Effect.gen(function* () {
      const classify = () => Effect.succeed({ tier: "Elevated", reason: "it is not tracked by git" } as const)
      const { reason, tier } = yield* tierOf({ classify }, held)
      assert.strictEqual(tier, "Elevated")
      assert.strictEqual(reason, "it is not tracked by git")
    })
  )

  it.effect("classify never lowers", () =>
    Effect.gen(function* () {
      const classify = () => Effect.succeed({ tier: "ReadOnly" } as const)
      assert.strictEqual((yield* tierOf({ tier: "Workspace", classify }, held)).tier, "Workspace")
    })
  )

  it.effect("classify cannot lower a call that runs on the host", () =>
    Effect.gen(function* () {
      const host = ToolContext.provide(ToolContext.empty("Main"), Capability.Execution, {
        make: () => fake({}),
        reach: "Host",
        preconditions: []
      })
      const classify = () => Effect.succeed({ tier: "System" } as const)
      const { reason, tier } = yield* tierOf({ tier: "System", capabilities: [Capability.Execution], classify }, host)
      assert.strictEqual(tier, "Elevated")
      assert.strictEqual(reason, "read_file runs as you, outside any sandbox")
    })
  )

  it.effect("classify may use declared capabilities that read, and finds no others", () =>
    Effect.gen(function* () {
      const found: Array<boolean> = []
      const classify = () =>
        Effect.gen(function* () {
          for (const key of [Capability.WorkspaceRead, Capability.WorkspaceWrite, Capability.RepositoryRead]) {
            found.push((yield* Effect.serviceOption(key as typeof Capability.WorkspaceRead))._tag === "Some")
          }
          return { tier: "Workspace" } as const
        })
      const capabilities = [Capability.WorkspaceRead, Capability.WorkspaceWrite]
      const context = holding(Capability.WorkspaceRead, Capability.WorkspaceWrite, Capability.RepositoryRead)
      yield* tierOf({ tier: "Workspace", capabilities, classify }, context)
      assert.deepStrictEqual(found, [true, false, false])
    })
  )

  it.effect.each([
    ["fails", () => Effect.fail(new ToolError.ExecutionError({ message: "no such file" })), "no such file"],
    ["dies", () => Effect.die(new Error("boom")), "a bug in the tool read_file: classify: Error: boom"],
    [
      "throws",
      () => {
        throw new Error("boom")
      },
      "a bug in the tool read_file: classify: Error: boom"
    ],
    ["answers no tier", () => Effect.succeed({ tier: "Harmless" }), "a bug in the tool read_file: classify: "],
    ["answers nothing of the kind", () => Effect.succeed({}), "a bug in the tool read_file: classify: "],
    ["answers null", () => Effect.succeed(null), "a bug in the tool read_file"]
  ] as const)("a call whose classify %s does not run", ([, classify, message]) =>
    Effect.gen(function* () {
      const { dispatched } = yield* tierOf(
        { classify, execute: () => Effect.die("it ran") } as unknown as Partial<Tool.Any>,
        held
      )
      assert.deepInclude(dispatched, { receipt: null })
      assert.include(JSON.stringify(dispatched), message)
    })
  )
})

/** Tests of refusing tools that a session cannot hold. */
import { Capability, SessionKind, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Floors } from "@bough/policy"
import { asked, holding, Path, world } from "./Harness.ts"
import { any } from "./Tools.ts"

describe("CapabilityCheck", () => {
  it.effect("nothing of a tool runs where a capability is missing, not even its decoder", () =>
    Effect.gen(function* () {
      const ran: Array<string> = []
      const trap = (name: string) => () => Effect.sync(() => ran.push(name)) as never
      const tool = any({
        tier: "System",
        replay: "Unsafe",
        capabilities: [Capability.WorkspaceRead, Capability.Execution, Capability.WorkspaceWrite],
        parameters: Path,
        classify: trap("classify"),
        preview: trap("preview"),
        settled: trap("settled"),
        execute: trap("execute"),
        timeoutMillis: () => {
          ran.push("timeoutMillis")
          return 1
        }
      })
      const { end, told } = world({ tools: [tool], context: { ...holding(Capability.WorkspaceRead), kind: "Worker" } })
      const { outcome, receipt } = yield* end(asked("read_file", "not even JSON"))
      assert.deepStrictEqual(outcome, {
        _tag: "Failed",
        error: {
          _tag: "PermissionDenied",
          tier: "System",
          reason: "this Worker session has no Execution, WorkspaceWrite, which read_file needs"
        },
        schema: null
      })
      assert.isNull(receipt)
      assert.deepStrictEqual(ran, [])
      assert.deepStrictEqual(told.order, ["ended Failed"])
    })
  )

  it("every capability has the floor that policy holds for its name", () => {
    const all = Object.values(SessionKind.byName).flatMap(({ holds }) => [...holds])
    assert.isAbove(all.length, 0)
    for (const { floor, key } of all) assert.strictEqual(floor, Floors.floorOf(Capability.shortName(key)), key)
  })

  it("an empty context lacks everything", () => {
    assert.lengthOf(ToolContext.missing(ToolContext.empty("Main"), [Capability.WorkspaceRead]), 1)
  })
})

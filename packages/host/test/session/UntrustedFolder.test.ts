/** The mark of a folder that the user does not trust: for each way to read it, and for no other. */
import { Capability, ToolContext } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { markUntrusted } from "../../src/session/UntrustedFolder.ts"

const { CodeIntelligence, Environment, Execution, RepositoryRead, WorkspaceRead, WorkspaceWrite } = Capability

const reads: ReadonlyArray<readonly [name: string, capability: Capability.Any]> = [
  ["WorkspaceRead", WorkspaceRead],
  ["RepositoryRead", RepositoryRead],
  ["CodeIntelligence", CodeIntelligence],
  ["Execution", Execution]
]

/** Provides a capability whose service is a label, and which also acts after a write. */
const providing = (capability: Capability.Any) => {
  const context = ToolContext.empty("Main")
  const capabilities = new Map(context.capabilities).set(capability.key, {
    make: () => "service",
    reach: "Confined",
    preconditions: [],
    afterWrite: () => Effect.succeed("looked")
  } as never)
  const provided = markUntrusted({ ...context, capabilities }).capabilities.get(capability.key)
  assert.isDefined(provided)
  return provided
}

describe("markUntrusted", () => {
  it.effect.each(reads)("%s marks the session when it is used, and after a write", ([, capability]) =>
    Effect.gen(function* () {
      const marks: Array<string> = []
      const provided = providing(capability)
      assert.deepStrictEqual(marks, [])
      assert.strictEqual(
        provided.make(SampleInvocation.make(), (label) => void marks.push(label)),
        "service"
      )
      assert.deepStrictEqual(marks, ["untrusted"])
      const after = provided.afterWrite?.({ mark: (label: string) => void marks.push(label) } as never)
      assert.strictEqual(yield* after as Effect.Effect<unknown>, "looked")
      assert.deepStrictEqual(marks, ["untrusted", "untrusted"])
    })
  )

  it("marks nothing for capabilities that do not read the folder", () => {
    const marks: Array<string> = []
    for (const capability of [WorkspaceWrite, Environment]) {
      providing(capability).make(SampleInvocation.make(), (label) => void marks.push(label))
    }
    assert.deepStrictEqual(marks, [])
  })
})

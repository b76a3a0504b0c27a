/** Tests of the states that are recorded around calls which may write the workspace. */
import { Capability, Snapshots, type Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { requestFor, done, holding, type Setting, world } from "./Harness.ts"
import { any, readFile, writeFile } from "./Tools.ts"

const failed = Effect.fail(
  new Snapshots.SnapshotFailed({ reason: "StoreFailed", message: "no space is left on the disk" })
)

/** Numbered snapshots, recorded in `order`. */
const numbered = (order: Array<string>, parts: Partial<Snapshots.Snapshots> = {}): Snapshots.Snapshots => {
  let count = 0
  const taken = (name: string) =>
    Effect.sync(() => {
      order.push(name)
      return `state-${++count}`
    })
  return {
    prepare: Effect.void,
    before: taken("before"),
    after: taken("after"),
    restorable: Effect.succeed(() => true),
    ...parts
  }
}

const writing = (
  setting: Partial<Setting> & { readonly parts?: Partial<Snapshots.Snapshots> },
  tool: Tool.Any = writeFile
) => {
  const order: Array<string> = []
  const runs = { ...tool, execute: () => Effect.sync(() => (order.push("ran"), done)) }
  const made = world({
    tools: [runs],
    context: holding(Capability.WorkspaceRead, Capability.WorkspaceWrite),
    snapshots: numbered(order, setting.parts),
    ...setting
  })
  return { ...made, order }
}

const write = requestFor("write_file", { path: "a" })

describe("A call that may write the workspace", () => {
  it.effect("has the state before it in its intent, and both in its receipt", () =>
    Effect.gen(function* () {
      const { end, order, records } = writing({})
      const { receipt } = yield* end(write)
      assert.deepStrictEqual(order, ["before", "ran", "after"])
      assert.strictEqual(records.started[0].stateBefore, "state-1")
      assert.deepStrictEqual(receipt?.workspace, { before: "state-1", after: "state-2" })
    })
  )

  it.effect("has both in its receipt if it is interrupted, so that later changes are not its own", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const execute = () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      const { dispatch, records } = world({
        tools: [{ ...writeFile, replay: "Unsafe", execute }],
        context: holding(Capability.WorkspaceRead, Capability.WorkspaceWrite),
        snapshots: numbered([])
      })
      const fiber = yield* Effect.forkChild(dispatch(write))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      const { outcome, receipt } = records.ended[0].ended
      assert.strictEqual(outcome._tag, "Unknown")
      assert.deepStrictEqual(receipt?.workspace, { before: "state-1", after: "state-2" })
    })
  )

  it.effect("asks if its state cannot be recorded, says why, and runs without one once it is approved", () =>
    Effect.gen(function* () {
      const { end, order, records } = writing({ parts: { before: failed }, answers: ["approve"] })
      const { receipt } = yield* end(write)
      assert.strictEqual(records.requests[0].reason, "its changes could not be undone: no space is left on the disk")
      assert.deepStrictEqual(order, ["ran"])
      assert.deepStrictEqual([receipt?.tier, receipt?.workspace], ["Elevated", undefined])
    })
  )

  it.effect("does not run if its state cannot be recorded and that is denied", () =>
    Effect.gen(function* () {
      const { end, order } = writing({ parts: { before: failed }, answers: [{ deny: null }] })
      assert.strictEqual((yield* end(write)).outcome._tag, "Rejected")
      assert.deepStrictEqual(order, [])
    })
  )

  it.effect("that was approved has the state from after the decision", () =>
    Effect.gen(function* () {
      const { end, order, records } = writing(
        { answers: ["approve"] },
        { ...writeFile, tier: "Elevated", replay: "Unsafe" }
      )
      yield* end(write)
      assert.deepStrictEqual(order, ["before", "before", "ran", "after"])
      assert.strictEqual(records.started[0].stateBefore, "state-2")
    })
  )

  it.effect("lapses an approval if its state can no longer be recorded, and asks with that reason", () =>
    Effect.gen(function* () {
      let takes = 0
      const before = Effect.suspend(() => (++takes === 1 ? Effect.succeed("state-1") : failed))
      const tool: Tool.Any = { ...writeFile, tier: "System", replay: "Unsafe" }
      const { end, order, records } = writing(
        {
          parts: { before },
          answers: ["approve"],
          context: holding(Capability.WorkspaceRead, Capability.WorkspaceWrite)
        },
        { ...tool, classify: () => Effect.succeed({ tier: "System" }), capabilities: [] }
      )
      yield* end(write)
      assert.deepStrictEqual(records.lapsed, ["the tier of the call is higher now"])
      assert.include(records.requests[1].reason, "no space is left on the disk")
      assert.deepStrictEqual(order, ["ran"])
    })
  )

  it.effect("ends unchanged if the state after it cannot be recorded", () =>
    Effect.gen(function* () {
      const { end } = writing({ parts: { after: failed } })
      const { outcome, receipt } = yield* end(write)
      assert.strictEqual(outcome._tag, "Succeeded")
      assert.deepStrictEqual(receipt?.workspace, { before: "state-1", after: null })
    })
  )
})

describe("A call that writes nothing", () => {
  it.effect("has no state recorded", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const { end } = world({
        tools: [readFile, any({ name: "none" })],
        context: holding(Capability.WorkspaceRead),
        snapshots: numbered(order)
      })
      assert.isUndefined((yield* end(requestFor("read_file", { path: "a" }))).receipt?.workspace)
      yield* end(requestFor("none", { path: "a" }))
      assert.deepStrictEqual(order, [])
    })
  )
})

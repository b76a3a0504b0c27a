import type { Frame } from "@bough/gateway-api"
import { assert, describe, it } from "@effect/vitest"
import * as FrameBuffer from "../../src/events/FrameBuffer.ts"

const capacity = 100

const filled = () => {
  const buffer = FrameBuffer.make(capacity)
  const frames: Array<Frame.Frame> = []
  const push = (count: number): void => {
    for (let index = 0; index < count; index++) {
      const frame: Frame.Frame = { _tag: "Heartbeat" }
      frames.push(frame)
      buffer.push(frame)
    }
  }
  return { buffer, frames, push }
}

describe("FrameBuffer", () => {
  it("gives each reader every frame from its beginning on, and drops frames that all have read", () => {
    const { buffer, frames, push } = filled()
    push(3)
    assert.strictEqual(buffer.size(), 0, "it holds frames that nobody reads")
    const early = buffer.open()
    push(70)
    const late = buffer.open()
    push(5)
    assert.deepStrictEqual(early.take(), frames.slice(3) as never)
    assert.isNull(early.take())
    assert.deepStrictEqual(late.take(), frames.slice(73) as never)
    assert.strictEqual(buffer.size(), 0)
    push(2)
    late.close()
    assert.deepStrictEqual(early.take(), frames.slice(78) as never)
    assert.strictEqual(buffer.size(), 0)
  })

  it("buffers at most a bound for a reader that stalls, which misses the rest, and gives others all", () => {
    const { buffer, frames, push } = filled()
    assert.strictEqual(buffer.lagMillis(), 0)
    const [slow, fast] = [buffer.open(), buffer.open()]
    const taken: Array<Frame.Frame> = []
    let most = 0
    for (let times = 0; times < 50; times++) {
      push(10)
      const got = fast.take()
      if (got !== null && got !== "missed") taken.push(...got)
      most = Math.max(most, buffer.size())
    }
    assert.isTrue(taken.length === frames.length && taken.every((frame, index) => frame === frames[index]))
    assert.isAtMost(most, 2 * capacity)
    assert.isAbove(buffer.lagMillis(), 0)
    assert.strictEqual(slow.take(), "missed")
    slow.close()
    assert.deepStrictEqual([buffer.size(), buffer.lagMillis()], [0, 0])
    const edge = buffer.open()
    push(capacity)
    assert.lengthOf(edge.take() ?? [], capacity)
    push(capacity + 1)
    assert.strictEqual(edge.take(), "missed")
  })
})

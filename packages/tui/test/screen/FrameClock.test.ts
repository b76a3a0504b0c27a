/** Tests that every change is drawn, at once if input waits, and never too often. */
import { assert, describe, it, vi } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as FrameClock from "../../src/screen/FrameClock.ts"

/** An event, some milliseconds after the previous one. */
const Happening = Schema.Struct({
  what: Schema.Literals(["changed", "answer"]),
  afterMillis: Schema.Literals([0, 0, 0, 1, 5, 32, 33, 200])
})

interface Watched {
  readonly clock: FrameClock.FrameClock
  /** The times of the frames. */
  readonly drawnAt: ReadonlyArray<number>
}

/** Runs on a clock of the test's own, after a second of silence, so that the first frame is due. */
const watch = (test: (watched: Watched) => void, hasMore: () => boolean = () => false): void => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"] })
  try {
    const drawnAt: Array<number> = []
    const clock = FrameClock.make(() => {
      drawnAt.push(performance.now())
      return hasMore()
    })
    vi.advanceTimersByTime(1000)
    test({ clock, drawnAt })
  } finally {
    vi.useRealTimers()
  }
}

const many = { arbitrary: { runs: 300, size: 30 } }

describe("FrameClock", () => {
  it.prop(
    "draws every change within a frame's time, and an answer before the clock advances",
    [Schema.Array(Happening)],
    ([happenings]) =>
      watch(({ clock, drawnAt }) => {
        for (const { afterMillis, what } of happenings) {
          vi.advanceTimersByTime(afterMillis)
          clock[what]()
          if (what === "changed") continue
          vi.advanceTimersByTime(0)
          assert.strictEqual(drawnAt.at(-1), performance.now())
        }
        const lastMillis = performance.now()
        vi.advanceTimersByTime(FrameClock.frameMillis)
        if (happenings.length > 0) assert.isAtLeast(drawnAt.at(-1) ?? 0, lastMillis)
        assert.strictEqual(vi.getTimerCount(), 0)
      }),
    many
  )

  it.prop(
    "draws no two frames within a frame's time unless input waits",
    [Schema.Array(Happening)],
    ([happenings]) =>
      watch(({ clock, drawnAt }) => {
        for (const { afterMillis } of happenings) {
          vi.advanceTimersByTime(afterMillis)
          clock.changed()
        }
        vi.advanceTimersByTime(FrameClock.frameMillis)
        for (const [index, millis] of drawnAt.slice(1).entries()) {
          assert.isAtLeast(millis - drawnAt[index], FrameClock.frameMillis)
        }
      }),
    many
  )

  it("continues without a pause as long as there is more to draw, and draws nothing once it is stopped", () => {
    let left = 3
    watch(
      ({ clock, drawnAt }) => {
        clock.changed()
        // The test's clock advances by one for each turn of the event loop.
        vi.advanceTimersByTime(2)
        assert.lengthOf(drawnAt, 3)
        clock.changed()
        clock.stop()
        clock.changed()
        clock.answer()
        vi.advanceTimersByTime(1000)
        assert.lengthOf(drawnAt, 3)
      },
      () => --left > 0
    )
  })
})

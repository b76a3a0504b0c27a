/** The plan above the prompt, and the row of the running work, for any width. */
import { Session } from "@bough/protocol"
import * as Theme from "@bough/tui/theme/Theme"
import { assert, describe, it } from "@effect/vitest"
import * as Frame from "../../../src/ui/tui/Frame.ts"
import * as PlanView from "../../../src/ui/tui/PlanView.ts"
import * as Transcript from "../../../src/ui/tui/Transcript.ts"
import { sceneOf } from "./sceneOf.ts"

const started = Transcript.startTurn(Transcript.make(Session.SessionId.make("ses_1"), false, new Map()), 0)

const rowsOf = (view: Transcript.Transcript, columns: number): ReadonlyArray<string> =>
  Frame.layoutFrame({ ...sceneOf(view, columns, 24), theme: Theme.none }).rows

describe("PlanView", () => {
  it("shows eight items around the current one, and the number of the others", () => {
    const planAt = (current: number): PlanView.Plan.Plan => ({
      items: Array.from({ length: 12 }, (_, at) => ({
        text: `item ${at}`,
        status: at < current ? "done" : at === current ? "active" : "pending"
      }))
    })
    const shown = (current: number): ReadonlyArray<string> => PlanView.rows(planAt(current), 40, Theme.none)
    const items = (from: number): ReadonlyArray<number> => Array.from({ length: 8 }, (_, at) => from + at)
    for (const [current, from] of [
      [0, 0],
      [2, 0],
      [6, 4],
      [11, 4],
      [12, 4]
    ] as const) {
      const rows = items(from).map((at) => `  ${at < current ? "✓" : at === current ? "▸" : "·"} item ${at}`)
      assert.deepStrictEqual(shown(current), [...rows, "  … 4 more"])
    }
  })
})

describe("the row of the running work", () => {
  it("shortens or leaves out the keys of the running work on a narrow screen, and cuts none", () => {
    const row = (columns: number, shown = started): string | undefined =>
      rowsOf(shown, columns).find((line) => /Working|Waiting/u.test(line))
    assert.strictEqual(row(80), "⠋ Working 1 min 05 s · Esc to interrupt · Enter to steer · Tab to queue")
    assert.strictEqual(row(60), "⠋ Working 1 min 05 s · Esc interrupt · Enter steer")
    assert.strictEqual(row(40), "⠋ Working 1 min 05 s · Esc interrupt")
    assert.strictEqual(row(30), "⠋ Working 1 min 05 s")
    const waiting = { ...started, working: { startedAtMillis: 60_000, step: 1, stopping: false, waiting: true } }
    assert.strictEqual(row(60, waiting), "⠋ Waiting 5 s · Esc interrupt · Enter steer · Tab queue")
  })
})

describe("Frame", () => {
  it("shows the rows of a plan while its turn runs, and one row of it during a later turn", () => {
    const items = ["look", "write", "run"].map((text) => ({ text, status: "pending" as const }))
    const view = { ...started, plan: { ...started.plan, current: { items } } }
    const rows = (shown: Transcript.Transcript): ReadonlyArray<string> =>
      rowsOf(shown, 80).filter((row) => /look|write|run$/u.test(row))
    assert.deepStrictEqual(rows(view), ["  · look", "  · write", "  · run"])
    assert.deepStrictEqual(rows({ ...view, plan: { ...view.plan, isEarlier: true } }), ["Plan 0/3: look"])
  })
})

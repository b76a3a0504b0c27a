/** A conversation notifies its user: when an approval is pending, and when a long turn ends. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { requires } from "../../../../../test/requirements.ts"
import { configure, put, withPlace } from "../../program/Bough.ts"
import { say, withModel } from "../../program/ModelServer.ts"
import { withScreen } from "../../program/Screen.ts"

const tmux = requires("tmux")

/** A shorter turn ends without a notification. */
const longTurnMillis = 10_000

describe.skipIf(tmux.skip)(`the notification of the terminal${tmux.suffix}`, () => {
  it("is sent for an approval and for the end of a long turn, not for that of a short one", () =>
    withPlace((place) => {
      const remove = { text: "", calls: [{ name: "delete_path", arguments: { path: "a.txt" } }] }
      const answers = [say("Short."), remove, say("Kept.")]
      const script = () => answers.shift() ?? { text: "Long.", after: sleep(longTurnMillis + 500) }
      return withModel(script, async ({ env }) => {
        put(place, "a.txt", "x")
        configure(place, JSON.stringify({ terminal: { notify: "osc9" }, rules: { ask: ["delete_path"] } }))
        const recorded = join(place.root, "recorded")
        const sent = () =>
          readFileSync(recorded, "utf8")
            .split("\u001B]9;")
            .slice(1)
            .map((rest) => rest.slice(0, rest.indexOf("\u0007")))
        await withScreen(place, { env, recorded }, async (screen) => {
          await screen.shows(/›\n.* workspace/)
          screen.type("a word")
          await screen.shows(/Short\.\n.* out\n›\n/)
          assert.deepStrictEqual(sent(), [])
          screen.type("delete it")
          await screen.shows(/Allow delete_path\?[\s\S]*└ y allow/)
          assert.deepStrictEqual(sent(), ["bough: an approval is needed"])
          await screen.pressUntil("n", "Enter denies")
          screen.press("Enter")
          await screen.shows(/Kept\.\n.* out\n›\n/)
          screen.type("at length")
          await screen.shows(/Long\.\n.* out\n›\n/)
          assert.deepStrictEqual(sent(), ["bough: an approval is needed", "bough: finished"])
        })
      })
    }))
})

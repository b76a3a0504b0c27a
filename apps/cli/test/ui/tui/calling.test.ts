/** A conversation notifies its user: when an approval is pending, and when a long turn ends. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { requires } from "../../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../../test/thorough.ts"
import { configure, put, until, withTestFolder } from "../../program/Bough.ts"
import { remove, say, type Script, withModel } from "../../program/ModelServer.ts"
import { type Screen, withScreen } from "../../program/Screen.ts"

const tmux = requires("tmux")

/** A shorter turn ends without a notification. */
const longTurnMillis = 10_000

/** Gives `use` a conversation, and the notifications that its terminal has received. */
const notified = (
  script: Script,
  use: (screen: Screen, sent: () => ReadonlyArray<string>) => Promise<void>
): Promise<void> =>
  withTestFolder((place) =>
    withModel(script, ({ env }) => {
      put(place, "a.txt", "x")
      configure(place, JSON.stringify({ terminal: { notify: "osc9" }, rules: { ask: ["delete_path"] } }))
      const recorded = join(place.root, "recorded")
      const sent = () =>
        readFileSync(recorded, "utf8")
          .split("\u001B]9;")
          .slice(1)
          .map((rest) => rest.slice(0, rest.indexOf("\u0007")))
      return withScreen(place, { env, recorded }, async (screen) => {
        await screen.shows(/›\n.* workspace/)
        await use(screen, sent)
      })
    })
  )

describe.skipIf(tmux.skip)(`the notification of the terminal${tmux.suffix}`, () => {
  it("is sent for an approval, not for the end of a short turn", () =>
    notified([say("Short."), remove("a.txt"), say("Kept.")], async (screen, sent) => {
      screen.type("a word")
      await screen.shows(/Short\.\n.* out\n›\n/)
      assert.deepStrictEqual(sent(), [])
      screen.type("delete it")
      await screen.shows(/Allow delete_path\?[\s\S]*└ y allow/)
      // The terminal draws the row before its recording has it.
      await until(() => sent().includes("bough: an approval is needed"))
      assert.deepStrictEqual(sent(), ["bough: an approval is needed"])
      await screen.pressUntil("n", "Enter denies")
      screen.press("Enter")
      await screen.shows(/Kept\.\n.* out\n›\n/)
      assert.deepStrictEqual(sent(), ["bough: an approval is needed"])
    }))

  it("is sent for the end of a long turn", thoroughOnly, () =>
    notified(
      () => ({ text: "Long.", after: sleep(longTurnMillis + 500) }),
      async (screen, sent) => {
        screen.type("at length")
        await screen.shows(/Long\.\n.* out\n›\n/)
        await until(() => sent().includes("bough: finished"))
        assert.deepStrictEqual(sent(), ["bough: finished"])
      }
    )
  )
})

/** Colours that follow the terminal's report of its background, which is not treated as input. */
import { assert, describe, it } from "@effect/vitest"
import { setTimeout as sleep } from "node:timers/promises"
import { requires } from "../../../../../test/requirements.ts"
import type { Options, RealScreen } from "../../program/Screen.ts"
import * as Talking from "../../program/Talking.ts"

const tmux = requires("tmux")

const blue = "\u001B[34m"
const cyan = "\u001B[36m"

/** Starts at the first prompt; the model is asked only for typed text. */
const talking = (options: Options, use: (screen: RealScreen) => Promise<void>): Promise<void> =>
  Talking.talking({ prompt: /›\n.* workspace/, ...options }, [{ text: "# A title" }], async ({ screen, server }) => {
    await use(screen)
    const [{ messages }] = server.requests
    assert.strictEqual(messages.findLast(({ role }) => role === "user")?.content, "show")
  })

/** The row of the title, with the colours that were sent to the terminal. */
const title = async (screen: RealScreen): Promise<string> => {
  await screen.shows(/A title\n.* out\n›\n/)
  const row = screen
    .coloured()
    .split("\n")
    .find((row) => row.includes("A title"))
  assert.isDefined(row)
  return row
}

describe.skipIf(tmux.skip)(`the colours of a conversation${tmux.suffix}`, () => {
  it.each([
    ["light", "#fdf6e3", "15;0", blue],
    ["dark", "#002b36", "0;15", cyan]
  ])("fit a terminal that reports %s, whatever its variables say", (_, background, COLORFGBG, colour) =>
    talking({ background, env: { COLORFGBG } }, async (screen) => {
      screen.type("show")
      assert.include(await title(screen), colour)
    })
  )

  it("are off if none are wanted, whatever the terminal reports", () =>
    talking({ background: "#fdf6e3", env: { NO_COLOR: "1" } }, async (screen) => {
      screen.type("show")
      assert.notInclude(await title(screen), "\u001B[3")
    }))

  it("follow a report that comes late and in pieces, while text is typed", () =>
    talking({}, async (screen) => {
      screen.send("sh")
      screen.send("\u001B]11;rgb:fd")
      // Longer than the timeout of a lone Escape.
      await sleep(100)
      screen.send("fd/f6f6/e3e3\u001B")
      await sleep(100)
      screen.send("\\ow\r")
      assert.include(await title(screen), blue)
    }))
})

/** Tests of the tests' own terminal: a wait for a text that never comes fails with the text of the screen. */
import { assert, describe, it } from "@effect/vitest"
import { withTestFolder } from "./program/Bough.ts"
import * as Screen from "./program/Screen.ts"
import * as ScreenInProcess from "./program/ScreenInProcess.ts"

const options = { args: ["--version", "--format", "wrong"] }

const failure = (running: Promise<unknown>): Promise<string> =>
  running.then(
    () => assert.fail("it did not fail"),
    (error: unknown) => (error instanceof Error ? error.message : String(error))
  )

describe("a wait for a text", () => {
  it("fails at once if the program has ended without it, with the screen", () =>
    withTestFolder(async (place) => {
      const wait = (screen: Screen.Screen) => screen.shows("never shown")
      for (const { withScreen } of [Screen, ScreenInProcess]) {
        const message = await failure(withScreen(place, options, wait))
        assert.match(message, /^(?:on the screen|the program ended before never shown came):\n[\s\S]*EXIT \d/u)
      }
    }))
})

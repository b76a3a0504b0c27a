/** The last sentence of a conversation: its name, and the command that resumes it. */
import { assert, describe, it } from "@effect/vitest"
import { withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { say, withModel } from "./program/ModelServer.ts"
import { withScreen } from "./program/ScreenInProcess.ts"

const prompts = { screen: /›\n.* workspace/, lines: /twice quits\n›$/ }

describe("quitting a conversation", () => {
  it.each([
    ["the screen", [], prompts.screen],
    ["plain lines", ["--screen-reader"], prompts.lines]
  ] as const)("names it and the command that resumes it, on %s", (_, args, prompt) =>
    withTestFolder((place) =>
      withModel([say("Four"), say("Still four")], async ({ env, requests }) => {
        const options = { args: [...args], env, columns: 160 }
        const shown = await withScreen(place, options, async (screen) => {
          await screen.shows(prompt)
          screen.type("what is two and two?")
          await screen.shows("Four")
          screen.type("/quit")
          return screen.shows("EXIT 0")
        })
        const resumption = /“what is two and two\?” is saved; resume it with: bough --session (ses_[0-9a-f]{12})\n/
        const [, id = ""] = resumption.exec(shown) ?? []
        assert.match(id, /^ses_/)
        const answered = await bough(place, ["run", "--session", id, "and now?"], { env })
        assert.deepStrictEqual([answered.code, answered.stdout], [0, "Still four\n"])
        assert.include(JSON.stringify(requests[1]?.messages), "what is two and two?")
      })
    )
  )

  it("prints nothing about a conversation without a message", () =>
    withTestFolder((place) =>
      withModel([], ({ env }) =>
        withScreen(place, { args: [], env, columns: 160 }, async (screen) => {
          await screen.shows(prompts.screen)
          screen.type("/quit")
          assert.notInclude(await screen.shows("EXIT 0"), "resume it with")
        })
      )
    ))
})

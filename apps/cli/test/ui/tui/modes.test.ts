/** Modes, a new session, the clipboard and queued messages as a user meets them, in the process of the test. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../../../test/thorough.ts"
import * as Configured from "../../program/Configured.ts"
import { say } from "../../program/ModelServer.ts"

const talking = Configured.inProcess({ prompt: /›\n.* workspace.*$/ })

const write = { text: "", calls: [{ name: "write_file", arguments: { path: "a.txt", content: "one\n" } }] }
const shiftTab = "\u001B[Z"

describe("modes of a conversation", () => {
  it("plan mode denies a change, is named to the model, and ends when the plan is accepted", () =>
    talking([write, say("1. write a.txt"), write, say("Written")], async ({ converse, place, server }) => {
      const file = join(place.workspace, "a.txt")
      await converse(async (screen) => {
        screen.type("/mode plan")
        await screen.shows(/Mode plan: nothing is changed[\s\S]*plan mode/)
        screen.type("write a file")
        await screen.shows(/1\. write a\.txt[\s\S]*› *\n/)
        assert.isFalse(existsSync(file))
        assert.include(server.bodies[0], "Mode: plan.")
        assert.include(server.bodies[1], "plan mode (read-only)")
        screen.type("/accept")
        await screen.shows("Written")
        assert.isTrue(existsSync(file))
        assert.notInclude(JSON.stringify(server.requests.at(-1)?.messages.at(-1)), "Mode: plan.")
      })
    }))

  it("Shift-Tab switches from auto to ask, where a change waits for its approval, and a later process remembers it", () =>
    talking([write, say("Done")], async ({ converse, place, server }) => {
      await converse(async (screen) => {
        screen.press(shiftTab)
        await screen.shows(/ask mode/)
        screen.type("write a file")
        await screen.shows(/Allow write_file\?[\s\S]*the rule "ask mode" asks\n└ y allow/)
        await screen.pressUntil("n", /Reason \(optional\)/)
        screen.press("Enter")
        await screen.shows("Done")
      })
      assert.include(server.bodies[0], "Mode: ask.")
      assert.isFalse(existsSync(join(place.workspace, "a.txt")))
      await converse(
        async (screen) => {
          await screen.shows(/› *\n.*ask mode/)
        },
        { args: ["--continue"] }
      )
    }))

  it("/new starts a new session, and /copy sends the last answer to the terminal's clipboard", thoroughOnly, () =>
    talking([say("First answer"), say("Second answer")], async ({ converse, server }) => {
      await converse(async (screen) => {
        screen.type("/copy")
        await screen.shows("no answer to copy yet")
        screen.type("one")
        await screen.shows(/First answer\n.* out\n›/)
        screen.type("/copy")
        await screen.shows("sent 12 characters to the terminal's clipboard")
        screen.type("/new")
        await screen.shows("new session: /sessions returns to the previous one")
        screen.type("two")
        await screen.shows("Second answer")
        assert.notInclude(server.bodies[1], "First answer")
      })
    })
  )

  it("Escape returns queued messages to the editor, before the typed text", () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return talking([{ text: "Looking", calls: [], after: promise }], async ({ converse, server }) => {
      await converse(async (screen) => {
        screen.type("look around")
        await screen.shows("Looking")
        screen.press("-l", "then commit")
        screen.press("Tab")
        await screen.shows("queued: then commit")
        screen.press("-l", "and push")
        await screen.shows("› and push")
        screen.press("Escape")
        await screen.shows(/stopped\n› then commit\n {2}and push\n/)
        resolve()
        assert.lengthOf(server.requests, 1)
      })
    })
  })

  it("Escape sends a steering message that no step has read as the next turn, and shows it once", () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const looking = { text: "Looking", calls: [], after: promise }
    return talking([looking, say("Seven it is")], async ({ converse, server }) => {
      await converse(async (screen) => {
        screen.type("look around")
        await screen.shows("Looking")
        screen.type("remember seven")
        await screen.shows("with the next step: remember seven")
        screen.press("Escape")
        const shown = await screen.shows(/Seven it is\n[\s\S]*›\n/)
        resolve()
        assert.match(shown, /stopped\n+› remember seven\n/)
        assert.lengthOf(shown.match(/remember seven\n/gu) ?? [], 1)
        assert.notInclude(shown, "next step")
        assert.lengthOf(server.requests, 2)
      })
    })
  })
})

/**
 * After a turn that failed or was stopped: no request is repeated unless the user says so, and messages keep their
 * order.
 */
import { assert, describe, it } from "@effect/vitest"
import { setTimeout as sleep } from "node:timers/promises"
import * as Configured from "../../program/Configured.ts"
import { say } from "../../program/ModelServer.ts"

const talking = Configured.inProcess({ prompt: /›\n.* workspace.*$/ })

describe("after a turn that failed", () => {
  it("changing effort or model repeats no request by itself", () =>
    talking([{ status: 401, message: "wrong key" }, say("Now it works")], async ({ converse, server }) => {
      await converse(async (screen) => {
        screen.type("hello")
        await screen.shows(/wrong key[\s\S]*›\n/)
        screen.type("/effort high")
        await screen.shows(/effort high \(saved[\s\S]*›\n.*effort high/)
        screen.type("/model other:8b")
        await screen.shows(/Now using openai-compatible\/other:8b[\s\S]*›\n.*other:8b/)
        await sleep(300)
        assert.lengthOf(server.requests, 1)
        screen.type("again")
        await screen.shows("Now it works")
        assert.lengthOf(server.requests, 2)
      })
    }))
})

describe("/retry", () => {
  it("repeats the request of a turn that failed, and nothing where no turn is unfinished", () =>
    talking([{ status: 401, message: "wrong key" }, say("Now it works")], async ({ converse, server }) => {
      await converse(async (screen) => {
        screen.type("/retry")
        await screen.shows(/no turn is unfinished[\s\S]*›\n/)
        assert.lengthOf(server.requests, 0)
        screen.type("hello")
        await screen.shows(/wrong key[\s\S]*\/retry repeats the request\n›\n/)
        screen.type("/retry")
        await screen.shows("Now it works")
        const [first, second] = server.requests
        assert.deepStrictEqual(second?.messages, first?.messages)
        screen.type("/retry")
        await screen.shows(/Now it works[\s\S]*no turn is unfinished[\s\S]*›\n/)
        assert.lengthOf(server.requests, 2)
      })
    }))
})

describe("a message that was queued", () => {
  it("is shown below the answer to the message before it", () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return talking([{ text: "First answer", after: promise }, say("Second answer")], async ({ converse }) => {
      await converse(async (screen) => {
        screen.type("first words")
        await screen.shows("First answer")
        screen.press("-l", "second words")
        screen.press("Tab")
        await screen.shows("queued: second words")
        resolve()
        const shown = await screen.shows("Second answer")
        assert.match(shown, /› first words\nFirst answer\n.* out\n› second words\nSecond answer\n/)
      })
    })
  })
})

describe("a new conversation", () => {
  it("completes the arguments of /sessions, /mode, /effort and /model before they were listed", () =>
    talking([say("A pear")], async ({ converse }) => {
      await converse(async (screen) => {
        screen.type("a fruit")
        await screen.shows(/A pear\n.* out\n›\n/)
      })
      await converse(async (screen) => {
        screen.press("-l", "/sessions ")
        await screen.shows(/› \/sessions *\n\s+ses_\w+ .*a fruit/)
        screen.press("C-u")
        screen.press("-l", "/mode pl")
        assert.include(await screen.shows(/› \/mode pl\n\s+plan/), "/mode pl")
        screen.press("C-u")
        screen.press("-l", "/effort hi")
        assert.include(await screen.shows(/› \/effort hi\n\s+high/), "/effort hi")
        screen.press("C-u")
        screen.press("-l", "/model scr")
        await screen.shows(/› \/model scr\n\s+openai-compatible\/scripted/)
      })
    }))

  it("completes /sessions after a change of the session, with the open one, and marks no earlier one as open", () =>
    talking([say("A pear"), say("A plum")], async ({ converse }) => {
      await converse(async (screen) => {
        screen.type("a fruit")
        await screen.shows(/A pear\n.* out\n›\n/)
        screen.type("/new")
        await screen.shows(/new session[\s\S]*›\n/)
        screen.type("another")
        await screen.shows(/A plum\n.* out\n›\n/)
        screen.press("-l", "/sessions ")
        const shown = await screen.shows(/› \/sessions *\n\s+ses_\w+ .*another\n\s+ses_\w+ .*a fruit/)
        assert.notInclude(shown, "this one")
        screen.press("C-u")
        screen.press("-l", "/resume fru")
        await screen.shows(/› \/resume fru\n\s+ses_\w+ .*a fruit/)
        screen.press("C-u")
        screen.press("-l", "/theme li")
        await screen.shows(/› \/theme li\n\s+light/)
      })
    }))
})

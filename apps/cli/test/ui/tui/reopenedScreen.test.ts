/** A session that is opened again has the rows that its conversation had: one conversation with every kind of entry. */
import { assert, describe, it } from "@effect/vitest"
import { requires } from "../../../../../test/requirements.ts"
import { put } from "../../program/Bough.ts"
import * as Configured from "../../program/Configured.ts"
import { type Answer, type Call, remove, say } from "../../program/ModelServer.ts"
import type { Screen } from "../../program/Screen.ts"

const bubblewrap = requires("bubblewrap")
const talking = Configured.inProcess({ prompt: / workspace.*$/, rows: 60 })

const calls = (...calls: ReadonlyArray<Call>): Answer => ({ text: "", calls })

/** The rows from the first message to the prompt. */
const conversationOf = (screen: Screen): string => {
  const rows = screen.text().split("\n")
  return rows.slice(rows.indexOf("› first"), rows.lastIndexOf("›")).join("\n")
}

const idle = /\n›\n[^\n]*$/

describe.skipIf(bubblewrap.skip)(`a session that is opened again${bubblewrap.suffix}`, () => {
  it("has the rows of its calls, commands, approvals, failures, interruptions and turns", () => {
    const { promise: read, resolve: steered } = Promise.withResolvers<void>()
    return talking(
      [
        {
          text: "I look.",
          reasoning: "It may be there.",
          calls: [
            { name: "read_file", arguments: { path: "a.txt" } },
            { name: "read_file", arguments: { path: "missing.txt" } },
            { name: "run_command", arguments: { command: "echo one; exit 4" } },
            { name: "send_message", arguments: { text: "half of it\nis done" } }
          ]
        },
        calls({ name: "edit_file", arguments: { path: "a.txt", edits: [{ old: "one", new: "eins" }] } }),
        say("Edited."),
        remove("a.txt"),
        say("Kept."),
        remove("b.txt"),
        say("Gone."),
        { status: 401, message: "wrong key" },
        say("It works again."),
        { text: "", calls: [{ name: "read_file", arguments: { path: "a.txt" } }], after: read },
        say("Read with that in mind."),
        { hangAfter: "I begin" },
        say("The last one.")
      ],
      async ({ converse, place }) => {
        put(place, "a.txt", "one\n")
        put(place, "b.txt", "two\n")
        let live = ""
        await converse(async (screen) => {
          screen.type("first")
          await screen.shows(/Edited\.\n.* out\n›\n/)
          screen.type("!echo mine; exit 3")
          await screen.shows(/exit 3 · [\s\S]*mine[\s\S]*\n›\n/)
          screen.type("delete a")
          await screen.shows("n deny")
          await screen.pressUntil("n", "Reason (optional)")
          screen.type("it is mine")
          await screen.shows(/└ denied: it is mine[\s\S]*Kept\.\n.* out\n›\n/)
          screen.type("delete b")
          await screen.shows(/delete b[\s\S]*y allow/)
          await screen.pressUntil("y", /└ allowed once[\s\S]*Gone\.\n.* out\n›\n/)
          screen.type("fail")
          await screen.shows(/wrong key[\s\S]*\/retry repeats the request\n›\n/)
          screen.type("again")
          await screen.shows(/works again\.\n.* out\n›\n/)
          screen.type("steered")
          await screen.shows(/› steered[\s\S]*to interrupt/)
          screen.type("mind the gap")
          await screen.shows("with the next step: mind the gap")
          steered()
          await screen.shows(/in mind\.\n.* out\n›\n/)
          screen.type("long")
          await screen.shows("I begin")
          screen.press("Escape")
          await screen.shows(/stopped\n›\n/)
          screen.type("last")
          await screen.shows(/last one\.\n.* out\n›\n/)
          live = conversationOf(screen)
        })
        await converse(
          async (screen) => {
            await screen.shows(/last one\.[\s\S]*\n›\n/)
            await screen.shows(idle)
            assert.strictEqual(conversationOf(screen), live)
          },
          { args: ["--continue"] }
        )
      }
    )
  })
})

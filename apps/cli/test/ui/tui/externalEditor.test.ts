/** Ctrl-G: a message is edited in the user's editor, in a private file that is removed afterwards. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { put } from "../../program/Bough.ts"
import * as Configured from "../../program/Configured.ts"
import { bough } from "../../program/InProcess.ts"
import { say } from "../../program/ModelServer.ts"

const talking = Configured.inProcess({ prompt: /›\n.* workspace.*$/ })

describe("the editor of the user", () => {
  it("gets the draft, and its text becomes the message", () =>
    talking([say("Read")], async ({ converse, env, place, server }) => {
      const editor = put(
        place,
        "editor.sh",
        `stat -c '%a %n' "$1" > seen; cat "$1" >> seen; printf 'and a pear\\n' >> "$1"`
      )
      const seen = join(place.workspace, "seen")
      await converse(
        async (screen) => {
          screen.press("-l", "a plum ")
          await screen.shows("› a plum")
          screen.press("C-g")
          await screen.shows("› a plum and a pear")
          screen.press("Enter")
          await screen.shows(/Read\n.* out\n›\n/)
        },
        { env: { ...env, EDITOR: `cd '${place.workspace}' && sh '${editor}'` } }
      )
      assert.strictEqual(server.requests[0].messages.at(-1)?.content, "a plum and a pear")
      const [, mode, file = "", text] = /^(\d+) (\S+)\n(.*)$/u.exec(readFileSync(seen, "utf8")) ?? []
      assert.deepStrictEqual([mode, text, existsSync(file)], ["600", "a plum ", false])
    }))

  it("that fails, or is missing, leaves the message unchanged", () =>
    talking([], async ({ converse, env }) => {
      for (const [EDITOR, told] of [
        ["exit 3;", /ended with exit code 3/],
        ["", /no editor is found — set VISUAL or EDITOR/]
      ] as const) {
        await converse(
          async (screen) => {
            screen.press("-l", "a plum")
            await screen.shows("› a plum")
            screen.press("C-g")
            assert.match(await screen.shows(told), /› a plum\n/u)
          },
          { env: { ...env, EDITOR, VISUAL: "", PATH: "" } }
        )
      }
    }))

  it("gets the note of /memory edit, which is changed when the screen is back", () =>
    talking([say("Read")], async ({ converse, env, place }) => {
      const id = (await bough(place, ["memory", "save", "Likes tea"])).stdout.trim()
      const editor = put(place, "editor.sh", `sed -i 's/tea/coffee/' "$1"`)
      await converse(
        async (screen) => {
          screen.type(`/memory edit ${id}`)
          // The command stands above its result.
          await screen.shows(new RegExp(`› /memory edit ${id}\\nnote ${id} is changed\\n›`))
          screen.type("/memory edit nothing")
          await screen.shows(/unknown note "nothing"[^›]*›\n/u)
          // The keys are the conversation's again.
          screen.type("hello")
          await screen.shows(/Read\n.* out\n›\n/)
        },
        { env: { ...env, VISUAL: `sh '${editor}'` } }
      )
      assert.include((await bough(place, ["memory", "list"])).stdout, "Likes coffee")
    }))
})

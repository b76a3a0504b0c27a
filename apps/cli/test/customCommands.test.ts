/** Custom commands: from files of the user and of a trusted project, in a conversation and in `run`. */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import * as Configured from "./program/Configured.ts"
import { bough } from "./program/InProcess.ts"
import { type ModelServer, say, withModel } from "./program/ModelServer.ts"

const bubblewrap = requires("bubblewrap")
const talking = Configured.inProcess({ prompt: / workspace.*$/, args: ["--trust"] })

const putOwn = (place: TestFolder, name: string, text: string): void => {
  const file = join(dirname(place.config), name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const review =
  "---\ndescription: Review the change\nargument-hint: FOCUS\n---\nReview @notes.txt for $1.\n!`echo sum $((6 * 7)); echo $1`\n"
const lastMessages = ({ requests }: ModelServer, count: number): string =>
  JSON.stringify(requests.at(-1)?.messages.slice(-count))

describe.skipIf(bubblewrap.skip)(`custom commands${bubblewrap.suffix}`, () => {
  it("are listed, take arguments, and send the model the output and files that they name", () =>
    talking([say("Reviewed"), say("Skilled")], async ({ converse, place, server }) => {
      put(place, "notes.txt", "the pear\n")
      put(place, ".bough/commands/review.md", review)
      put(place, ".bough/commands/help.md", "Mine")
      putOwn(place, "skills/verse/SKILL.md", "---\nname: verse\ndescription: In verse\n---\nRhyme $1 and @this.\n")
      await converse(async (screen) => {
        screen.type("/help")
        assert.match(
          await screen.shows(/\/verse \[words\] +In verse \(skill\)/),
          /\/review FOCUS +Review the change \(project\)/
        )
        screen.type("/review $(touch$IFS../gone)")
        await screen.shows("Reviewed")
        assert.match(
          lastMessages(server, 3),
          /@notes\.txt\\n.*the pear.*\$ bough_1='\$\(touch\$IFS\.\.\/gone\)'; echo sum .*sum 42\\n\$\(touch\$IFS.*Review @notes\.txt for \$\(touch\$IFS\.\.\/gone\)\.\\n\(the output of/u
        )
        screen.type("/verse now")
        await screen.shows("Skilled")
        assert.match(lastMessages(server, 1), /Follow the skill verse.*Rhyme \$1 and @this\.\\n\\nArguments: now/u)
        screen.press("-l", "/vers")
        screen.press("Tab")
        await screen.shows(/› \/verse *\n/)
        screen.press("-l", "once")
        await screen.shows(/› \/verse once/)
        screen.press("C-u")
        screen.type("/revieu")
        await screen.shows("Did you mean /review?")
      })
    }))

  it("send nothing if a file that they name cannot be read", () =>
    talking([], async ({ converse, place, server }) => {
      putOwn(place, "commands/look.md", "Look at @none.txt")
      await converse(async (screen) => {
        screen.type("/look")
        await screen.shows(/\/look was not sent: @none\.txt: [^\n]*none\.txt/)
      })
      assert.lengthOf(server.requests, 0)
    }))

  it("of a project need its trust, report faults, and work in `run` with their model", () =>
    withTestFolder((place) =>
      withModel([say("plain"), say("done")], async (server) => {
        put(place, ".bough/commands/greet.md", "---\nmodel: openai-compatible/other:8b\n---\nGreet $ARGUMENTS")
        putOwn(place, "commands/bad.md", "---\ncolour: red\n---\nText")
        const untrusted = await bough(place, ["run", "/greet Ann"], { env: server.env })
        assert.match(untrusted.stderr, /not used, .*: \.bough\/commands\/greet\.md \("bough --trust"/)
        assert.match(
          untrusted.stderr,
          /commands\/bad\.md is not used: its front matter has the unknown key colour: there are description, argument-hint, model$/m
        )
        assert.include(lastMessages(server, 1), `"/greet Ann"`)
        const ended = await bough(place, ["run", "--trust", "/greet Ann"], { env: server.env })
        assert.strictEqual(ended.stdout, "done\n", ended.stderr)
        assert.include(lastMessages(server, 1), `"Greet Ann"`)
        assert.deepStrictEqual(
          server.requests.map(({ model }) => model),
          ["scripted", "other:8b"]
        )
      })
    ))
})

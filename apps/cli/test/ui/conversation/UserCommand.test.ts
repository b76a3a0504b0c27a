/**
 * A command that the user types runs as the user, and the model reads its output with the next message; the agent's
 * stay confined.
 */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../../test/thorough.ts"
import * as Configured from "../../program/Configured.ts"
import { bough } from "../../program/InProcess.ts"
import { say } from "../../program/ModelServer.ts"

const bubblewrap = requires("bubblewrap")
const talking = Configured.inProcess({ prompt: / workspace.*$/ })

describe.skipIf(bubblewrap.skip)(`a command of the user${bubblewrap.suffix}`, () => {
  it("writes outside of the sandbox, unasked, and reaches the model with its output", thoroughOnly, () => {
    const confined = { name: "run_command", arguments: { command: "touch ../by-agent" } }
    return talking([say("I see 42"), { text: "", calls: [confined] }, say("No")], async (input) => {
      const { converse, env, place, server } = input
      await converse(async (screen) => {
        screen.type("!touch ../by-user; echo $((6 * 7)); exit 3")
        await screen.shows(/exit 3 · \d/)
        assert.notInclude(await screen.shows("42"), "Allow")
        screen.type("what was it?")
        await screen.shows("I see 42")
        screen.type("now you")
        await screen.shows(/No\n.* out\n›\n/)
      })
      assert.isTrue(existsSync(join(place.workspace, "../by-user")))
      assert.isFalse(existsSync(join(place.workspace, "../by-agent")))
      const [first] = server.requests
      assert.match(
        JSON.stringify(first.messages),
        /command of the user.*\$ touch \.\.\/by-user; echo.*\\n42\\n\[exit 3.*what was it\?/u
      )
      const shown = await bough(place, ["sessions", "--format", "json"], { env })
      const [, sessionId = ""] = /"sessionId":\s*"([^"]+)"/u.exec(shown.stdout) ?? []
      const journal = await bough(place, ["sessions", "show", sessionId], { env })
      assert.match(journal.stdout, /approval requested: run_command[^\n]*escalate/u)
      assert.match(journal.stdout, /decided by \S+: approved/u)
    })
  })

  it("allows only itself: the same command of the agent needs an approval", () => {
    const command = "touch ../twice"
    const asking = { name: "run_command", arguments: { command, escalate: { to: "host", reason: "again" } } }
    return talking([{ text: "", calls: [asking] }, say("Denied")], async ({ converse, place }) => {
      await converse(async (screen) => {
        screen.type(`!${command}`)
        await screen.shows(/exit 0 · \d/)
        writeFileSync(join(place.workspace, "../twice"), "mine")
        screen.type("go on")
        assert.include(await screen.shows(/Allow run_command\?[\s\S]*└ y allow/), command)
        screen.press("n")
        await screen.shows("Enter denies")
        screen.press("Enter")
        await screen.shows(/Denied\n.* out\n›\n/)
      })
    })
  })
})

/** Commands about the session, its rules, notes, agents and hooks, in a conversation. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { configure, put } from "../../program/Bough.ts"
import * as Configured from "../../program/Configured.ts"
import { bough } from "../../program/InProcess.ts"
import { say } from "../../program/ModelServer.ts"

const talking = Configured.inProcess({ prompt: /›\n.* workspace.*$/ })

describe("commands about a conversation", () => {
  it("/rename and /export name it and write it to a new file that only the user reads", () =>
    talking([say("A <b>pear</b>")], async ({ converse, env, place }) => {
      await converse(async (screen) => {
        screen.type("/rename early")
        await screen.shows("nothing to rename yet")
        screen.type("a fruit")
        await screen.shows(/pear.*\n.* out\n›\n/)
        screen.type("/rename The pear talk")
        await screen.shows(/this session is now called The pear talk\n›\n.* The pear talk$/)
        screen.type("/export talk.html")
        await screen.shows(/exported to \S+talk\.html/)
        screen.type("/export talk.html")
        await screen.shows(/cannot write \S+talk\.html/)
        screen.type("/export talk.doc")
        await screen.shows("name a file that ends in .md or .html")
      })
      const page = readFileSync(join(place.workspace, "talk.html"), "utf8")
      assert.include(page, "<title>The pear talk</title>")
      assert.include(page, "A &lt;b&gt;pear&lt;/b&gt;")
      assert.strictEqual(statSync(join(place.workspace, "talk.html")).mode & 0o777, 0o600)
      assert.include((await bough(place, ["sessions"], { env })).stdout, "The pear talk")
    }))

  it("/permissions lists, adds and removes rules that apply at once", () => {
    const call = { name: "delete_path", arguments: { path: "a.txt" } }
    return talking([{ text: "", calls: [call] }, say("Gone")], async ({ converse, place }) => {
      put(place, "a.txt", "x")
      configure(place, `{ "model": "openai-compatible/scripted", "rules": { "ask": ["git_push"] } }`)
      await converse(async (screen) => {
        screen.type("/permissions")
        await screen.shows(/configuration +ask git_push/)
        screen.type("/permissions add nothing_like_it")
        await screen.shows(/"nothing_like_it", which does not exist/)
        screen.type("/permissions add delete_path path=a.txt")
        const [, id = ""] = /remove\s+(rul_\w+)/u.exec(await screen.shows(/remove\s+rul_\w+ removes/)) ?? []
        screen.type("delete it")
        assert.notInclude(await screen.shows(/Gone\n.* out\n›\n/), "Allow")
        screen.type(`/permissions remove ${id}`)
        await screen.shows(`rule ${id} is revoked`)
        screen.type("/permissions add deny delete_path path=b.txt")
        await screen.shows(/denied in this folder: deny delete_path path=b\.txt/)
      })
      const checked = await bough(place, ["policy", "check"])
      assert.match(checked.stdout, /^ok {5}deny delete_path path=b\.txt/m)
      assert.isFalse(existsSync(join(place.workspace, "a.txt")))
    })
  })

  it("shows a notice about a server above the prompt, which stays whole", () =>
    talking([], async ({ converse, place }) => {
      const mcpServers = { gone: { command: "/does/not/exist" } }
      configure(place, JSON.stringify({ model: "openai-compatible/scripted", mcpServers }))
      await converse(async (screen) => {
        const shown = await screen.shows(/MCP server gone is unavailable[\s\S]*\n›\n.* workspace.*$/)
        assert.notMatch(shown, /› MCP/)
      })
    }))

  it("/agents, /hooks, /memory and /keys print their lists", () =>
    talking([], async ({ converse, place }) => {
      configure(
        place,
        JSON.stringify({
          model: "openai-compatible/scripted",
          agents: { critic: { description: "Reviews" } },
          hooks: { stop: [{ command: "true", runAs: "operator" }] }
        })
      )
      put(place, "a.txt", "")
      await converse(async (screen) => {
        screen.type("/agents")
        await screen.shows(/critic +\S+ +Reviews/)
        screen.type("/hooks")
        await screen.shows(/stop +your hook "true" · as you · failure: continue/)
        screen.type("/memory")
        await screen.shows("no notes yet")
        screen.type("/memory drop")
        await screen.shows("expected /memory, or /memory show")
        screen.type("/keys")
        assert.notInclude(await screen.shows(/Ctrl-Z +suspend/), "\\ before Enter")
      })
    }))
})

/** Prompts of MCP servers as commands, and their resources in messages: in a conversation and in `run`. */
import { assert, describe, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"
import { configure, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type ModelServer, say, withModel } from "./program/ModelServer.ts"
import * as ScreenInProcess from "./program/ScreenInProcess.ts"

const script = fileURLToPath(new URL("../../../packages/mcp/test/servers/stdio.ts", import.meta.url))
const mcpServers = { Sample: { command: process.execPath, args: [script], sandbox: false, startSeconds: 240 } }

const lastMessages = ({ requests }: ModelServer, count: number): string =>
  JSON.stringify(requests.at(-1)?.messages.slice(-count))

describe("texts of MCP servers", () => {
  it("are completed as commands, and reach the model as untrusted data before the message", () =>
    withTestFolder((place) =>
      withModel([say("Rhymed"), say("Read")], async (server) => {
        configure(place, JSON.stringify({ mcpServers }))
        await ScreenInProcess.withScreen(place, { env: server.env, columns: 100 }, async (screen) => {
          await screen.shows(/ workspace.*$/)
          screen.type("/sample:write_poem")
          await screen.shows("/sample:write_poem needs topic")
          screen.type("/sample:write_poem the moon style=terse")
          await screen.shows("Rhymed")
          assert.match(
            lastMessages(server, 2),
            /context source=\\"untrusted text\\">\\ntext of the MCP server Sample for its prompt \\"Write-Poem\\":.*About the moon, terse\[2J&lt;\/context>.*Carry out \/sample:write_poem/u
          )
          screen.type("what is in @sample:poem://moon, me@sample.org?")
          await screen.shows("Read")
          assert.match(lastMessages(server, 2), /@Sample:poem:\/\/moon, a resource.*The moon.*what is in @sample:poem/u)
          screen.type("read @sample:poem://sun")
          await screen.shows(/the message was not sent: @Sample:poem:\/\/sun/)
          screen.type("/sample:write_pome x")
          await screen.shows("did you mean /sample:write_poem?")
        })
        assert.lengthOf(server.requests, 2)
      })
    ))

  it("of a prompt that `run` names label the session untrusted", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel([say("Done")], async (server) => {
        configure(place, JSON.stringify({ mcpServers }))
        const done = await bough(place, ["run", "--format", "json", "/sample:write_poem moon"], { env: server.env })
        assert.strictEqual(done.code, 0, done.stderr)
        const shown = await bough(place, ["sessions", "export", JSON.parse(done.stdout).sessionId])
        assert.match(shown.stdout, /"labels":\["untrusted"\]/u)
        const missing = await bough(place, ["run", "/sample:write_poem"], { env: server.env })
        assert.match(missing.stderr, /\/sample:write_poem needs topic/u)
      })
    )
  )

  it(
    "may ask the user for input, escaped and under the server's name; without a terminal it is declined",
    thoroughOnly,
    () =>
      withTestFolder((place) => {
        const ask = (kind: string) => ({
          text: "",
          calls: [
            { name: "use_tools", arguments: { names: ["sample__ask"] } },
            { name: "sample__ask", arguments: { kind } }
          ]
        })
        const tiers = { "*": "ReadOnly" }
        configure(place, JSON.stringify({ mcpServers: { Sample: { ...mcpServers.Sample, tiers } } }))
        return withModel(
          [ask("order"), say("Ordered"), ask("secret"), say("Kept"), ask("order"), say("Alone")],
          async (server) => {
            await ScreenInProcess.withScreen(place, { env: server.env, columns: 100 }, async (screen) => {
              await screen.shows(/ workspace.*$/)
              screen.type("order")
              await screen.shows("the MCP server Sample asks you for input")
              await screen.pressUntil("y", "1 Soup")
              screen.type("2")
              await screen.shows("count")
              screen.type("11")
              await screen.shows("at most 9")
              screen.type("3")
              await screen.shows("Served hot")
              screen.type("yes")
              await screen.shows("note")
              screen.type("")
              await screen.shows('to send: {"dish":"cake","count":3,"hot":true}')
              await screen.pressUntil("y", "Ordered")
              assert.match(lastMessages(server, 1), /action.*accept.*cake/u)
              screen.type("again")
              await screen.shows("seems to ask for a secret")
              await screen.pressUntil("n", "Kept")
              assert.match(lastMessages(server, 1), /decline/u)
            })
            const done = await bough(place, ["run", "order"], { env: server.env })
            assert.match(done.stderr, /Sample asked for input, which was declined: no user can be asked here/u)
            assert.match(lastMessages(server, 1), /decline/u)
          }
        )
      })
  )
})

/** `bough mcp login` and `logout`: the token stays in a private file, and reaches no output, journal or model. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as authorized from "../../../packages/mcp/test/servers/authorized.ts"
import { configure, type TestFolder, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { say, withModel } from "./program/ModelServer.ts"
import * as ScreenInProcess from "./program/ScreenInProcess.ts"

const withServer = async (use: (server: authorized.AuthorizedServer) => Promise<void>): Promise<void> => {
  const server = await authorized.start()
  try {
    await use(server)
  } finally {
    await server.close()
  }
}

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : []
  )

const logIn = (place: TestFolder): Promise<void> =>
  ScreenInProcess.withScreen(place, { args: ["mcp", "login", "remote"], columns: 1000 }, async (screen) => {
    const shown = await screen.shows(/http:\S+authorize\?\S+/)
    await fetch(/http:\S+authorize\?\S+/u.exec(shown)?.[0] ?? "")
    await screen.shows("logged in at remote")
    await screen.shows("EXIT 0")
  })

describe("bough mcp login", () => {
  it("logs in for later sessions, and keeps the token from them", () =>
    withTestFolder((place) =>
      withServer((server) =>
        withModel(
          [
            {
              text: "",
              calls: [
                { name: "use_tools", arguments: { names: ["remote__whisper"] } },
                { name: "remote__whisper", arguments: {} }
              ]
            },
            say("Heard")
          ],
          async (model) => {
            configure(
              place,
              JSON.stringify({
                mcpServers: { remote: { url: server.url, tiers: { "*": "ReadOnly" }, startSeconds: 240 } }
              })
            )
            const before = await bough(place, ["mcp", "list"])
            assert.include(before.stdout, 'it asks for a login: run "bough mcp login remote"')
            await logIn(place)
            const after = await bough(place, ["run", "--format", "stream-json", "listen"], { env: model.env })
            assert.strictEqual(after.code, 0, after.stderr)
            assert.match(JSON.stringify(model.requests.at(-1)), /you sent Bearer \[token\]/u)

            const holding = filesBelow(place.home).filter((file) =>
              server.issued.some((token) => readFileSync(file).includes(token))
            )
            assert.lengthOf(holding, 1)
            assert.match(holding[0] ?? "", /mcp\/logins\/[0-9a-f]{64}\.json$/u)
            assert.strictEqual(statSync(holding[0] ?? "").mode & 0o777, 0o600)
            const output = after.stdout + after.stderr + JSON.stringify(model.requests)
            assert.isTrue(server.issued.every((token) => !output.includes(token)))

            const out = await bough(place, ["mcp", "logout", "remote"])
            assert.include(out.stderr, "logged out at remote")
            assert.isAbove(server.revoked.size, 0)
          }
        )
      )
    ))

  it("names the configured servers, and those that have no login", () =>
    withTestFolder(async (place) => {
      configure(place, JSON.stringify({ mcpServers: { remote: { command: "true" } } }))
      assert.include((await bough(place, ["mcp", "login", "remot"])).stderr, "did you mean remote?")
      assert.include((await bough(place, ["mcp", "login", "remote"])).stderr, "it has no login")
    }))
})

/**
 * `bough login`, `/login` and `bough logout` with an account: at a real authorization server in both flows, and at
 * OpenRouter. Tokens are in one private file and in no output, journal or export.
 */
import { assert, describe, it } from "@effect/vitest"
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as AuthorizationServer from "../../../packages/host/test/login/authorizationServer.ts"
import { openAiCompatible as compatible } from "../../../packages/models/test/wire/ChatDialect.ts"
import { failure, says, text } from "../../../packages/models/test/wire/Wire.ts"
import { configure, type TestFolder, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { routedKey, withOpenRouter } from "./program/OpenRouterServer.ts"
import { withProvider } from "./program/ProviderServer.ts"
import { withScreen } from "./program/ScreenInProcess.ts"

const loginName = "openai-compatible"

const withServer = async (
  options: AuthorizationServer.Options,
  use: (server: AuthorizationServer.AuthorizationServer) => Promise<void>
): Promise<void> => {
  const server = await AuthorizationServer.start(options)
  try {
    await use(server)
  } finally {
    await server.close()
  }
}

/** Declares the login, and the address of the model's server. */
const declare = (place: TestFolder, issuer: string, baseUrl: string): void =>
  configure(
    place,
    JSON.stringify({
      model: `${loginName}/m`,
      providers: {
        [loginName]: { baseUrl, oauth: { clientId: AuthorizationServer.clientId, issuer, scopes: ["models"] } }
      }
    })
  )

/** A program that opens a page as a browser does, and follows it back. */
const browserOf = (place: TestFolder): string => {
  const file = join(place.root, "browser")
  const module = JSON.stringify(join(import.meta.dirname, "../../../packages/host/test/login/authorizationServer.ts"))
  const script = join(place.root, "browser.ts")
  writeFileSync(
    script,
    `import { browse } from ${module}\nconst { url } = await browse(process.argv[2]!)\nawait fetch(url)\nprocess.exit(0)\n`
  )
  writeFileSync(file, `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(script)} "$1"\n`)
  chmodSync(file, 0o755)
  return file
}

const filesWith = (place: TestFolder, secrets: Iterable<string>): ReadonlyArray<string> =>
  readdirSync(place.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((file) => {
      const content = readFileSync(file, "latin1")
      return [...secrets].some((secret) => content.includes(secret))
    })

const address = /http:\/\/127\.0\.0\.1:\d+\/auth\?\S+/u

describe("a login with an account", () => {
  it("in the browser gives models a token that is refreshed when they reject it", () =>
    withTestFolder((place) =>
      withServer({}, (server) =>
        withProvider(
          compatible,
          [says(text("First answer")), failure(compatible, 401, "expired"), says(text("Second answer"))],
          async ({ env: { OPENAI_COMPATIBLE_BASE_URL: baseUrl = "" }, received }) => {
            declare(place, server.issuer, baseUrl)
            const before = await bough(place, ["run", "hi"])
            assert.include(before.stderr, `you are not logged in at ${loginName}`)
            assert.include(before.stderr, `"bough login ${loginName}" logs in`)
            assert.lengthOf(received, 0)

            await withScreen(
              place,
              { args: ["login", loginName], env: { BROWSER: browserOf(place) }, columns: 1000 },
              async (screen) => {
                await screen.shows(`logged in at ${loginName}`)
                await screen.shows("EXIT 0")
              }
            )
            const listed = await bough(place, ["login"])
            assert.match(listed.stderr, /openai-compatible\s+account: logged in/u)
            assert.include((await bough(place, ["doctor"])).stdout, `${loginName} (account: logged in)`)

            const first = await bough(place, ["run", "--format", "stream-json", "hi"])
            assert.strictEqual(first.code, 0, first.stderr)
            const second = await bough(place, ["run", "--format", "stream-json", "again"])
            assert.strictEqual(second.code, 0, second.stderr)
            const sent = received.map(({ headers }) => headers.authorization)
            assert.lengthOf(sent, 3)
            assert.strictEqual(sent[0], sent[1])
            assert.notStrictEqual(sent[1], sent[2])
            assert.strictEqual(server.tokens.refreshes, 1)
            for (const one of sent) assert.include([...server.tokens.issued], one?.replace("Bearer ", ""))

            const holding = filesWith(place, server.tokens.issued)
            assert.lengthOf(holding, 1)
            assert.match(holding[0] ?? "", /bough\/logins\/[0-9a-f]{64}\.json$/u)
            assert.strictEqual(statSync(holding[0] ?? "").mode & 0o777, 0o600)
            const output = first.stdout + first.stderr + second.stdout + second.stderr + listed.stderr
            assert.isFalse([...server.tokens.issued].some((token) => output.includes(token)))

            const out = await bough(place, ["logout", loginName])
            assert.include(out.stderr, `logged out at ${loginName}`)
            assert.isAbove(server.tokens.revoked.size, 0)
            assert.lengthOf(filesWith(place, server.tokens.issued), 0)
            assert.include((await bough(place, ["logout", loginName])).stderr, `no login at ${loginName} was saved`)
          }
        )
      )
    ))

  it.each([
    ["the screen", [], /›\n.* workspace/],
    ["plain lines", ["--screen-reader"], /twice quits\n›$/]
  ] as const)("by the pasted address of a browser elsewhere, in a conversation on %s", (_, args, prompt) =>
    withTestFolder((place) =>
      withServer({}, (server) =>
        withProvider(
          compatible,
          [says(text("Hello at last"))],
          async ({ env: { OPENAI_COMPATIBLE_BASE_URL: baseUrl = "" }, received }) => {
            declare(place, server.issuer, baseUrl)
            await withScreen(place, { args, columns: 600 }, async (screen) => {
              await screen.shows(prompt)
              screen.type("hi")
              await screen.shows(`"/login ${loginName}"`)
              screen.type(`/login ${loginName}`)
              const page = address.exec(await screen.shows(address))?.[0] ?? ""
              await screen.shows("address (Ctrl-C stops):")
              screen.type("http://127.0.0.1:1/callback?code=stolen&state=guessed")
              await screen.shows("this is not the address of this login")
              const { url } = await AuthorizationServer.browse(page)
              screen.paste(url)
              screen.press("Enter")
              await screen.shows(`logged in at ${loginName}`)
              // The message that failed is answered.
              await screen.shows("Hello at last")
            })
            assert.include([...server.tokens.issued], received[0]?.headers.authorization?.replace("Bearer ", ""))
          }
        )
      )
    )
  )

  it("by a code on any device, and not after the user denied it", () =>
    withTestFolder((place) =>
      withServer({}, async (server) => {
        declare(place, server.issuer, "http://127.0.0.1:9/v1")
        const decideAs = (isApproved: boolean, code: number, said: string) =>
          withScreen(place, { args: ["login", loginName, "--device"], columns: 300 }, async (screen) => {
            const shown = await screen.shows(/type this code there: \S+/)
            await server.decide(/code there: (\S+)/u.exec(shown)?.[1] ?? "", isApproved)
            await screen.shows(said)
            await screen.shows(`EXIT ${code}`)
          })
        await decideAs(false, 1, "access_denied the user said no")
        assert.lengthOf(filesWith(place, server.tokens.issued), 0)
        await decideAs(true, 0, `logged in at ${loginName}`)
        assert.lengthOf(filesWith(place, server.tokens.issued), 1)
      })
    ))

  it("at OpenRouter ends in a key, at a first start and with bough login", () =>
    withTestFolder((place) =>
      withOpenRouter(async ({ authorizations, env }) => {
        const around = { ...env, BROWSER: browserOf(place) }
        await withScreen(place, { args: [], env: around, columns: 300 }, async (screen) => {
          await screen.shows(/└ a log in at openrouter · k paste a key/)
          await screen.pressUntil("a", "openrouter/openrouter/auto is saved in")
          await screen.shows(/›\n.* workspace/)
          screen.type("hi")
          await screen.shows("Hello from the router")
          assert.notInclude(screen.text(), routedKey)
        })
        assert.deepStrictEqual(authorizations, [`Bearer ${routedKey}`])
        assert.deepStrictEqual(filesWith(place, [routedKey]), [place.config])
        assert.strictEqual(statSync(place.config).mode & 0o777, 0o600)

        const out = await bough(place, ["logout", "openrouter"], { env })
        assert.include(out.stderr, "the key of openrouter is deleted")
        assert.lengthOf(filesWith(place, [routedKey]), 0)
        await withScreen(place, { args: ["login", "openrouter"], env: around, columns: 300 }, async (screen) => {
          await screen.shows("logged in at openrouter")
          await screen.shows("EXIT 0")
        })
        assert.deepStrictEqual(filesWith(place, [routedKey]), [place.config])
      })
    ))

  it("names the providers that have one, saves keys from a pipe, and is stopped by Ctrl-C", () =>
    withTestFolder(async (place) => {
      const unknown = await bough(place, ["login", "opneai"])
      assert.strictEqual(unknown.code, 2)
      assert.include(unknown.stderr, "choose openrouter, anthropic, openai, google")
      const saved = await bough(place, ["login", "anthropic"], { stdin: "sk-ant-of-a-pipe\n" })
      assert.strictEqual(saved.code, 0, saved.stderr)
      assert.deepStrictEqual(filesWith(place, ["sk-ant-of-a-pipe"]), [place.config])
      assert.notInclude(saved.stderr, "sk-ant-of-a-pipe")
      assert.include((await bough(place, ["logout", "anthropic"])).stderr, "is deleted")
      assert.include((await bough(place, ["logout", "anthropic"])).stderr, "no key of anthropic is saved")
      assert.include(
        (await bough(place, ["login", "anthropic", "--device"], { stdin: "k" })).stderr,
        "no login by a code"
      )
      await withScreen(place, { args: ["login", "openrouter"], columns: 300 }, async (screen) => {
        await screen.shows("address (Ctrl-C stops):")
        screen.press("C-c")
        await screen.shows("not logged in at openrouter")
        await screen.shows("EXIT 1")
      })
    }))
})

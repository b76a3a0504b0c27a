/**
 * A pasted key: at a first start without one, and with `/login` after a wrong one. It is shown and stored nowhere else.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { dialect as anthropic } from "../../../packages/models/test/wire/AnthropicDialect.ts"
import { failure, says, text } from "../../../packages/models/test/wire/Wire.ts"
import { type TestFolder, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { withProvider } from "./program/ProviderServer.ts"
import type { Screen } from "./program/Screen.ts"
import { withScreen } from "./program/ScreenInProcess.ts"

const wrong = "sk-ant-first-that-is-wrong-4711"
const right = "sk-ant-second-that-is-right-0815"

const started = (
  script: Parameters<typeof withProvider>[1],
  args: ReadonlyArray<string>,
  use: (
    screen: Screen,
    place: TestFolder,
    received: Parameters<Parameters<typeof withProvider>[2]>[0]["received"]
  ) => Promise<void>
) =>
  withTestFolder((place) =>
    withProvider(anthropic, script, ({ env: { ANTHROPIC_BASE_URL = "" }, received }) =>
      withScreen(place, { args, env: { ANTHROPIC_BASE_URL }, columns: 200 }, (screen) => use(screen, place, received))
    )
  )

/** The bytes of every file of the program but its configuration. */
const stored = ({ data }: TestFolder): string =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => readFileSync(join(parentPath, name), "latin1"))
    .join("\n")

const configOf = ({ config }: TestFolder) => JSON.parse(readFileSync(config, "utf8"))

describe("an API key that is pasted", () => {
  it.each([
    ["the screen", [], /›\n.* workspace/],
    ["plain lines", ["--screen-reader"], /twice quits\n›$/]
  ] as const)("at a first start, and another one with /login when it is wrong, on %s", (_, args, prompt) =>
    started(
      [failure(anthropic, 401, "the key is wrong"), says(text("Hello from there"))],
      args,
      async (screen, place, received) => {
        await screen.shows(/└ .*k paste a key · u server address · m type a name · s offline demo/)
        await screen.pressUntil("k", "API key (anthropic, openai, google, openrouter), typing is not shown;")
        screen.type("two words")
        await screen.shows(/this is not an API key[\s\S]*└ .*k paste a key/)
        await screen.pressUntil("k", /typing is not shown;[\s\S]*typing is not shown;/)
        screen.type("a-key-that-tells-no-provider")
        await screen.shows(/└ provider of the key: 1 anthropic · 2 openai · 3 google · 4 openrouter · b back/)
        await screen.pressUntil("b", /(?:└ .*k paste a key[\s\S]*){3}/)
        await screen.pressUntil("k", /(?:typing is not shown;[\s\S]*){3}/)
        screen.paste(` ${wrong}\n`)
        screen.press("Enter")
        await screen.shows(/anthropic\/claude-\S+ is saved in ~\/\.config/)
        assert.deepStrictEqual(configOf(place).providers, { anthropic: { apiKey: wrong } })
        assert.strictEqual(statSync(place.config).mode & 0o777, 0o600)
        await screen.shows(prompt)
        screen.type("hi")
        await screen.shows(/the key is wrong — .*"\/login anthropic" saves another key/)
        screen.type(`/login anthropic ${right.slice(0, 3)}`)
        await screen.shows(/\/login takes only the provider/)
        screen.type("/login anthropic")
        await screen.shows("API key of anthropic (typing is not shown):")
        screen.type(right)
        await screen.shows(/Now using anthropic\/claude-\S+ \(saved in ~\/\.config\S+\)/)
        assert.deepStrictEqual(configOf(place).providers, { anthropic: { apiKey: right } })
        // The refused message is answered.
        await screen.shows(/Hello from there[\s\S]*›/)
        screen.type(`is it ${right} now?`)
        await screen.shows(/Hello from there[\s\S]*Hello from there/)
        assert.deepStrictEqual(
          received.map(({ headers }) => headers["x-api-key"]),
          [wrong, right, right]
        )
        assert.notInclude(JSON.stringify(received.map(({ body }) => body)), right)
        const shown = screen.text()
        assert.notInclude(shown, wrong)
        assert.notInclude(shown.replaceAll(`is it ${right} now?`, ""), right)
        assert.notInclude(stored(place), wrong)
        assert.notInclude(stored(place).replaceAll(`is it ${right} now?`, ""), right)
        assert.notInclude(stored(place), `/login anthropic ${right.slice(0, 3)}`)
      }
    )
  )

  it("is not asked for through a pipe, and no key is saved without one", () =>
    withTestFolder(async (place) => {
      const piped = await bough(place, [], { stdin: "/login anthropic\n" })
      assert.match(piped.stderr, /\/login needs a terminal — "bough config set providers\.NAME\.apiKey -"/)
      assert.strictEqual(piped.code, 2)
      assert.throws(() => configOf(place))
    }))
})

/**
 * A first start: found models are offered, once in a real terminal, and the choice is saved; scripts and pipes are not
 * asked.
 */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { bough, configure, type TestFolder, withTestFolder } from "./program/Bough.ts"
import { type Answer, type ModelServer, say, withModel } from "./program/ModelServer.ts"
import { type Options, type Screen, withScreen } from "./program/Screen.ts"
import * as ScreenInProcess from "./program/ScreenInProcess.ts"

const tmux = requires("tmux")

interface FirstRunWorld {
  readonly place: TestFolder
  readonly server: ModelServer
  /** A key, and the server as Ollama, with no model configured. */
  readonly env: Readonly<Record<string, string>>
}

const looking = (script: ReadonlyArray<Answer>, use: (looking: FirstRunWorld) => Promise<void>): Promise<void> =>
  withTestFolder((place) =>
    withModel(script, (server) => {
      const { host } = new URL(server.env["OPENAI_COMPATIBLE_BASE_URL"])
      return use({ place, server, env: { ANTHROPIC_API_KEY: "key-of-anthropic-4711", OLLAMA_HOST: host } })
    })
  )

const configOf = (place: TestFolder): unknown => JSON.parse(readFileSync(place.config, "utf8"))
/** Matches the keys of the first question. */
const providerKeys =
  /└ 1–\d use and save as default[\s·]+a log in at openrouter[\s·]+k paste a key[\s·]+u server address[\s·]+m type a name[\s·]+s offline demo/

const withFirstRun = (
  { env, place }: FirstRunWorld,
  options: Options,
  use: (screen: Screen) => Promise<void>
): Promise<void> =>
  ScreenInProcess.withScreen(place, { ...options, env: { ...env, ...options.env } }, async (screen) => {
    await screen.shows(providerKeys)
    await use(screen)
  })

describe.skipIf(tmux.skip)(`a first start in a terminal${tmux.suffix}`, () => {
  /** On a busy machine the short search for servers may miss one: then the start is repeated. */
  const offered = async (at: FirstRunWorld, use: (screen: Screen, lists: number) => Promise<void>): Promise<void> => {
    const once = async (): Promise<boolean> => {
      const lists = at.server.lists.length
      let isOffered = false
      await withScreen(at.place, { env: at.env }, async (screen) => {
        isOffered = (await screen.shows(providerKeys)).includes("runs here")
        if (isOffered) await use(screen, at.server.lists.length - lists)
      })
      return isOffered
    }
    for (let starts = 0; starts < 10; starts++) if (await once()) return
    assert.fail("no start found the server")
  }

  it("offers keys by their names and the models of this machine, saves the choice, and asks once", () =>
    looking([say("Hello from here"), say("And again")], async (at) => {
      const { env, place, server } = at
      configure(place, '{\n  // mine\n  "limits": { "maxSteps": 9 }\n}\n')
      await offered(at, async (screen, lists) => {
        const list = screen.text()
        assert.match(list, /^ {2}1 {2}anthropic\/claude-\S+ {2,}ANTHROPIC_API_KEY is set$/m)
        assert.match(list, /^ {2}2 {2}ollama\/scripted {2,}runs here, at 127\.0\.0\.1:\d+$/m)
        assert.match(list, /^ {2}3 {2}ollama\/other:8b /m)
        assert.include(list, "Configuration: ~/.config/bough/config.jsonc")
        assert.include(list, "Conversations are stored only on this machine: ~/.local/share/bough/bough.db")
        assert.notInclude(list, "4711")
        // Only the list was requested, and no key was shown.
        assert.deepStrictEqual([server.requests.length, lists], [0, 1])
        assert.notInclude(JSON.stringify(server.lists), "4711")
        screen.press("2")
        await screen.shows(/ollama\/scripted is saved in ~\/\.config\/bough\/config\.jsonc[\s\S]*›\n.* workspace/)
        screen.type("hi")
        await screen.shows(/Hello from here\n.* out\n›\n/)
      })
      assert.strictEqual(server.requests[0].model, "scripted")
      assert.include(readFileSync(place.config, "utf8"), "// mine")
      const { length } = server.lists
      await withScreen(place, { env }, async (screen) => {
        await screen.shows(/› *\n.* workspace/)
        assert.notInclude(screen.text(), "Choose a model")
        screen.type("hi")
        await screen.shows("And again")
      })
      assert.lengthOf(server.lists, length)
    }))

  it("asks nothing of a user who names a model, of a script or of a pipe", thoroughOnly, () =>
    looking([say("one"), say("two"), say("three")], async ({ env, place, server }) => {
      const named = { OPENAI_COMPATIBLE_BASE_URL: server.env["OPENAI_COMPATIBLE_BASE_URL"] }
      const { BOUGH_MODEL } = server.env
      await withScreen(place, { env: { ...env, ...named, BOUGH_MODEL } }, async (screen) => {
        await screen.shows(/›\n.* workspace/)
        assert.notInclude(screen.text(), "Choose a model")
      })
      const args = ["--model", BOUGH_MODEL]
      await withScreen(place, { env: { ...env, ...named }, args: ["run", ...args, "hi"] }, async (screen) => {
        assert.notInclude(await screen.shows("EXIT 0"), "Choose a model")
      })
      assert.strictEqual(server.lists.length, 0)
      const offline = await bough(place, ["run", "what time is it"])
      assert.match(offline.stderr, /no model is configured: offline demo mode/)
      const piped = await bough(place, [], { stdin: "what time is it\n" })
      assert.notInclude(piped.stderr, "Choose a model")
      assert.strictEqual(server.lists.length, 0)
      assert.isFalse(existsSync(place.config))
    })
  )
})

describe("a first start", () => {
  it("asks in plain lines too, and continues without a model if the user chooses none", () =>
    looking([], async (at) => {
      const { env, place } = at
      await withFirstRun(at, { args: ["--screen-reader"] }, async (screen) => {
        screen.press("s")
        await screen.shows(/offline\/planner is saved in[\s\S]*\n›$/)
      })
      assert.deepStrictEqual(configOf(place), { model: "offline/planner" })
      await ScreenInProcess.withScreen(place, { env, args: ["--screen-reader"] }, async (screen) => {
        await screen.shows(/twice quits\n›$/)
        assert.notInclude(screen.text(), "Choose a model")
      })
    }))

  it("accepts any model by its name, and reports why one cannot be used", () =>
    looking([], async (at) => {
      await withFirstRun(at, {}, async (screen) => {
        screen.press("m")
        await screen.shows("model, as provider/model")
        screen.type("openai/gpt-6.1-terra")
        await screen.shows(/OPENAI_API_KEY[\s\S]*└ 1–\d use and save/)
        assert.isFalse(existsSync(at.place.config))
        screen.press("m")
        await screen.shows(/provider\/model[\s\S]*provider\/model/)
        screen.type("anthropic/claude-opus-5-5")
        await screen.shows(/anthropic\/claude-opus-5-5 is saved[\s\S]*anthropic\/claude-opus-5-5 · workspace/)
      })
      assert.deepStrictEqual(configOf(at.place), { model: "anthropic/claude-opus-5-5" })
    }))

  it("accepts a server by its address, lists its models, and asks for the name if it has no list", () =>
    looking([say("Hello from there")], async (at) => {
      await withFirstRun(at, {}, async (screen) => {
        screen.press("u")
        await screen.shows("address, such as")
        screen.type("no address")
        await screen.shows(/no address is not an address[\s\S]*└ 1–\d use and save/)
        screen.press("u")
        await screen.shows(/is not an address[\s\S]*address, such as/)
        screen.type("http://127.0.0.1:9/v1")
        await screen.shows("name of its model")
        screen.type("")
        await screen.shows(/name of its model[\s\S]*└ 1–\d use and save/)
        screen.press("u")
        await screen.shows(/is not an address[\s\S]*address, such as[\s\S]*address, such as/)
        // Users type the address without its scheme.
        screen.type(at.server.env["OPENAI_COMPATIBLE_BASE_URL"].replace("http://", ""))
        await screen.shows(/openai-compatible\/other:8b[\s\S]*└ 1–2 use and save as default · b back/)
        screen.press("1")
        await screen.shows(/openai-compatible\/scripted is saved[\s\S]*›\n.* workspace/)
        screen.type("hi")
        await screen.shows("Hello from there")
      })
      assert.deepInclude(configOf(at.place), { model: "openai-compatible/scripted" })
      assert.strictEqual(at.server.requests[0].model, "scripted")
    }))

  it("saves nothing when it is left, and asks again", () =>
    looking([], async (at) => {
      await withFirstRun(at, {}, async (screen) => {
        screen.press("C-c")
        await screen.shows("EXIT 130")
      })
      assert.isFalse(existsSync(at.place.config))
      await withFirstRun(at, {}, async (screen) => {
        screen.press("C-d")
        await screen.shows("EXIT 0")
      })
      assert.isFalse(existsSync(at.place.config))
    }))

  it("uses the choice for this run if it cannot be saved", () =>
    looking([say("Hello from here")], async (at) => {
      writeFileSync(join(at.place.home, ".config"), "in the way")
      await withFirstRun(at, {}, async (screen) => {
        screen.press("2")
        await screen.shows(/cannot write ~\/\.config\/bough\/config\.jsonc[\s\S]*›\n.* workspace/)
        screen.type("hi")
        await screen.shows("Hello from here")
      })
      assert.strictEqual(at.server.requests[0].model, "scripted")
    }))
})

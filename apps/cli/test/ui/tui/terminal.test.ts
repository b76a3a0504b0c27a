/** The effects of a conversation on its terminal: scrollback, sizes, pastes, modes, signals. */
import { assert, describe, it } from "@effect/vitest"
import { requires } from "../../../../../test/requirements.ts"
import { put, until, withTestFolder } from "../../program/Bough.ts"
import { type ModelServer, withModel } from "../../program/ModelServer.ts"
import { type Options, type RealScreen, withScreen } from "../../program/Screen.ts"
import * as Talking from "../../program/Talking.ts"
import type { Script } from "../../program/Talking.ts"

const tmux = requires("tmux")
const bubblewrap = requires("bubblewrap")

const talking = (
  script: Script,
  use: (screen: RealScreen, server: ModelServer) => Promise<void>,
  options: Options = {}
): Promise<void> =>
  Talking.talking(
    { files: { "src/deep/file.ts": "x\n" }, prompt: /›\n.* workspace/, ...options },
    script,
    ({ screen, server }) => use(screen, server)
  )

const lines = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, at) => `line ${at + 1} of it`)
const matching = (text: string): ReadonlyArray<string> =>
  text.split("\n").filter((row) => /^line \d+ of it$/u.test(row))

describe.skipIf(tmux.skip)(`the terminal under a conversation${tmux.suffix}`, () => {
  it("writes ten thousand lines to the scrollback, each once and in order, and answers keys meanwhile", () => {
    const expected = lines(10_000)
    return talking([{ text: `Here:\n\n\`\`\`\n${expected.join("\n")}\n\`\`\`\n\nThat was all.` }], async (screen) => {
      screen.type("a lot")
      screen.press("x")
      await screen.shows(/That was all\.\n.* out\n› x\n/)
      assert.deepStrictEqual(matching(screen.text()), expected)
    })
  })

  it("leaves one prompt and every line after it was made narrower, wider and lower, with wide characters in it", () =>
    talking([{ text: `${lines(30).join("  \n")}\n\n世界 🌳 done` }], async (screen) => {
      screen.type("list them")
      await screen.shows(/done\n.* out\n›\n/)
      screen.press("世", "界")
      for (const [columns, rows] of [
        [100, 40],
        [35, 40],
        [60, 15],
        [80, 30]
      ] as const) {
        screen.resize(columns, rows)
        screen.press("x")
        await screen.shows(new RegExp(`› 世界x+\n.*scripted.*$`, "u"))
        await until(() => screen.visible().split("\n").length <= rows)
      }
      await screen.shows(/› 世界xxxx\n/)
      const text = screen.text()
      assert.deepStrictEqual(matching(text), lines(30))
      assert.lengthOf(text.match(/^› 世界/gmu) ?? [], 1)
      assert.lengthOf(text.match(/scripted · context/gu) ?? [], 1)
    }))

  it.each([
    ["light", "0;15", "\u001B[34m"],
    ["dark", "15;0", "\u001B[36m"]
  ])("uses an accent colour that is readable on a %s background", (_, COLORFGBG, colour) =>
    talking(
      [{ text: "# A title" }],
      async (screen) => {
        screen.type("show")
        await screen.shows(/A title\n.* out\n›\n/)
        const row = screen
          .coloured()
          .split("\n")
          .find((row) => row.includes("A title"))
        assert.include(row, colour)
      },
      { env: { COLORFGBG } }
    )
  )

  it("completes a path of the workspace, and recalls sent messages, in later conversations too", () =>
    withTestFolder((place) =>
      withModel([{ text: "read" }], async ({ env, requests }) => {
        put(place, "src/deep/file.ts", "x\n")
        await withScreen(place, { env }, async (screen) => {
          await screen.shows(/›\n.* workspace/)
          screen.press("s", "e", "e", "Space", "@", "f", "i", "l")
          await screen.shows(/src\/deep\/file\.ts/)
          screen.press("Tab")
          await screen.shows(/› see @src\/deep\/file\.ts/)
          screen.press("Enter")
          await screen.shows(/read\n.* out\n/)
        })
        assert.include(String(requests[0].messages.at(-1)?.content), "see @src/deep/file.ts")
        await withScreen(place, { env }, async (screen) => {
          await screen.shows(/›\n.* workspace/)
          screen.press("Up")
          await screen.shows(/› see @src\/deep\/file\.ts/)
        })
      })
    ))

  it("restores the terminal, at the end and on SIGTERM", () =>
    withTestFolder((place) =>
      withModel([{ hangAfter: "Let me think" }], async ({ env }) => {
        await withScreen(place, { env }, async (screen) => {
          await screen.shows(/›\n.* workspace/)
          assert.match(screen.modes(), /-icanon/)
          screen.press("C-d")
          await screen.shows("EXIT 0")
          assert.match(screen.modes(), / icanon[\s\S]* echo /)
        })
        await withScreen(place, { env }, async (screen) => {
          await screen.shows(/›\n.* workspace/)
          screen.type("think")
          await screen.shows("Let me think")
          process.kill(screen.pid(), "SIGTERM")
          await screen.shows("EXIT 143")
          assert.match(screen.modes(), / icanon[\s\S]* echo /)
        })
      })
    ))

  it("continues after Ctrl-Z, with the draft", () =>
    talking([], async (screen) => {
      screen.press("h", "a", "l", "f")
      await screen.shows(/› half\n/)
      screen.press("C-z")
      // A program without a shell that could continue it is not stopped: the screen comes back by itself.
      screen.press("x")
      await screen.shows(/› halfx\n/)
      assert.match(screen.modes(), /-icanon/)
    }))

  it("escapes all output, however the model's stream is split", () =>
    talking([{ text: `a\u001B]0;title\u0007b \u009B31m c\r\nd 👨\u200D👩 \u{E0041}` }], async (screen) => {
      screen.type("show")
      const text = await screen.shows(/out\n›\n/)
      assert.include(text, String.raw`a\u{1b}]0;title\u{7}b \u{9b}31m c`)
      assert.include(text, String.raw`👨👩 \u{e0041}`)
    }))

  it.skipIf(bubblewrap.skip)(
    `runs a command of the user, and stops one of the agent's at Ctrl-C${bubblewrap.suffix}`,
    () =>
      talking(
        [
          { text: "", calls: [{ name: "run_command", arguments: { command: "echo be''gun; sleep 600" } }] },
          { text: "well" }
        ],
        async (screen, { requests }) => {
          screen.press("-l", "!echo $((6 * 7))")
          await screen.shows(/[›!] !?echo/)
          screen.press("Enter")
          await screen.shows("42")
          assert.lengthOf(requests, 0)
          screen.type("run it")
          await screen.shows("begun")
          screen.press("C-c")
          await screen.shows(/\? \$ .*: outcome unknown[\s\S]*stopped\n›\n/)
          screen.type("and now?")
          assert.match(await screen.shows(/well[\s\S]*out\n›\n/), /stopped\n› and now\?/)
          // The model reads what the stopped command had printed.
          assert.include(JSON.stringify(requests.at(-1)?.messages), "begun")
        },
        { args: ["--approve", "allow"] }
      )
  )
})

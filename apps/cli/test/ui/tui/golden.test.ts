/**
 * Whole screens as recorded in `golden/*.txt`. `BOUGH_RENEW_GOLDEN=1` records them again: look at the difference. Parts
 * that differ from run to run are replaced by brackets.
 */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { requires } from "../../../../../test/requirements.ts"
import { type TestFolder, put } from "../../program/Bough.ts"
import type { Options, RealScreen, Screen } from "../../program/Screen.ts"
import { steady } from "../../program/Steady.ts"
import * as Talking from "../../program/Talking.ts"
import type { Script } from "../../program/Talking.ts"

const tmux = requires("tmux")
const bubblewrap = requires("bubblewrap")
const renews = process.env["BOUGH_RENEW_GOLDEN"] === "1"

const agreed = (name: string, screen: Screen): [seen: string, expected: string, name: string] => {
  const file = fileURLToPath(new URL(`golden/${name}.txt`, import.meta.url))
  const seen = `${steady(screen.visible())}\n`
  if (renews) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, seen)
  }
  return [seen, readFileSync(file, "utf8"), name]
}

const markdown = `# A title

Some *prose* with **bold** words, \`code\`, a [link](https://example.com/a), and a line that must be wrapped.

- one
- two
  - nested 世界 🌳 e\u0301

| name | size |
|---|---:|
| a.txt | 1 |
| a longer name | 22 |

\`\`\`ts
const x = 1
  indented()
\`\`\`

> quoted \u202Ewords

Done.`

const talkingBy =
  <S extends Screen>(start: (setting: Talking.Setting, script: Script, use: Talking.Use<S>) => Promise<void>) =>
  (script: Script, use: (screen: S, place: TestFolder) => Promise<void>, options: Options = {}): Promise<void> =>
    start(
      {
        files: { "a.txt": "one\ntwo\nthree\n" },
        prompt: /›\n.* workspace/,
        columns: 72,
        rows: 36,
        // The home around the workspace: its path is short then, wherever temporary files are.
        variables: ({ root }) => ({ HOME: root }),
        ...options
      },
      script,
      ({ place, screen }) => use(screen, place)
    )

const talking = talkingBy<RealScreen>(Talking.talking)
/** Runs conversations whose characters every terminal draws alike. */
const inProcess = talkingBy<Screen>(Talking.inProcess)

const ready = /out\n[\s\S]*›\n.* context .* workspace/

describe.skipIf(tmux.skip)(`recorded screens${tmux.suffix}`, () => {
  it("Markdown, wide and hidden characters", () =>
    talking([{ text: markdown }], async (screen) => {
      screen.type("show me")
      await screen.shows(ready)
      assert.strictEqual(...agreed("markdown", screen))
      assert.isTrue(screen.isColoured())
    }))

  it.skipIf(bubblewrap.skip)(`a plan, a running command, typed text meanwhile${bubblewrap.suffix}`, () => {
    const items = [
      { text: "look around", status: "done" },
      { text: "write the tests", status: "active" },
      { text: "run them", status: "pending" }
    ]
    const calls = [
      { name: "update_plan", arguments: { items } },
      { name: "run_command", arguments: { command: "sh count" } }
    ]
    return inProcess(
      [{ text: "I begin.", calls }, { text: "It ran." }],
      async (screen, place) => {
        put(place, "count", "seq 1 40; while [ ! -e go ]; do sleep 0.05; done; seq 41 50")
        screen.type("work")
        await screen.shows(/\$ sh count[\s\S]*\n {2}40[\s\S]*Working/)
        screen.press("n", "e", "x", "t")
        await screen.shows(/› next$/m)
        assert.strictEqual(...agreed("working", screen))
        put(place, "go", "")
        await screen.shows(/It ran\.\n[\s\S]*› next\n/)
        assert.strictEqual(...agreed("worked", screen))
        screen.press("C-o")
        await screen.shows(/│ 50\n[\s\S]*It ran\.[\s\S]*Esc back/)
        assert.strictEqual(...agreed("unfolded", screen))
      },
      { args: ["--approve", "allow"] }
    )
  })

  it("the diffs of writes, and all of them on demand", () => {
    const content = Array.from({ length: 20 }, (_, line) => `line ${line + 1}\n`).join("")
    const calls = [
      { name: "edit_file", arguments: { path: "a.txt", edits: [{ old: "two", new: "2" }] } },
      { name: "write_file", arguments: { path: "new.txt", content } }
    ]
    return inProcess([{ text: "", calls }, { text: "Written." }], async (screen) => {
      screen.type("write it")
      await screen.shows(/Written\.\n[\s\S]* out\n/)
      assert.strictEqual(...agreed("written", screen))
      screen.press("C-o")
      await screen.shows(/│ 20 \+line 20\n[\s\S]*Esc back/)
      screen.press("Escape")
      await screen.shows(/5 more lines[\s\S]*›\n.* workspace/)
    })
  })

  it("a diff before it is approved, and the rule that always would make", () =>
    inProcess(
      [
        {
          text: "",
          calls: [{ name: "write_file", arguments: { path: "AGENTS.md", content: "one\n2\nthree\nfour\n" } }]
        },
        { text: "Written." }
      ],
      async (screen) => {
        screen.type("write it")
        await screen.shows("? details")
        assert.strictEqual(...agreed("question", screen))
        screen.press("n")
        await screen.shows("Reason (optional)")
        screen.type("not there")
        await screen.shows(/Written\.\n.* out\n/)
        assert.strictEqual(...agreed("refused", screen))
      },
      { columns: 100 }
    ))

  it("the commands of the conversation", () =>
    inProcess([], async (screen) => {
      screen.type("/help")
      await screen.shows(/Ctrl-Z[\s\S]*›\n/)
      assert.strictEqual(...agreed("help", screen))
      screen.type("/fork")
      await screen.shows(/nothing to fork yet\n›\n/)
      screen.type("/compact")
      screen.type("/cost")
      await screen.shows(/nothing yet\n›\n/)
      assert.strictEqual(...agreed("commands", screen))
    }))

  it("a narrow screen and a low one", () =>
    talking([{ text: markdown }, { hangAfter: markdown }], async (screen) => {
      screen.type("show me")
      await screen.shows(ready)
      screen.resize(30, 12)
      screen.type("and again")
      await screen.shows(/and again[\s\S]*Done\./)
      assert.strictEqual(...agreed("narrow", screen))
    }))

  it("an approval on a narrow screen", () =>
    talking(
      [
        {
          text: "日本語 and 👩\u200D👩\u200D👧, with a link to [somewhere](https://example.com/a/long/path).",
          calls: [{ name: "write_file", arguments: { path: "AGENTS.md", content: "one\n世界 👩\u200D👧 is wide\n" } }]
        }
      ],
      async (screen) => {
        screen.type("write down what has to be done here, please")
        await screen.shows(/Tab decide later\n/)
        assert.strictEqual(...agreed("narrow-question", screen))
      },
      { columns: 40, rows: 30 }
    ))

  it("without colours", () =>
    talking(
      [{ text: markdown }],
      async (screen) => {
        screen.type("show me")
        await screen.shows(ready)
        assert.strictEqual(...agreed("markdown-plain", screen))
        assert.isFalse(screen.isColoured())
      },
      { env: { NO_COLOR: "1" } }
    ))
})

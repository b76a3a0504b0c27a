/**
 * The conversation in plain lines: with a user's keys in the process of the test, in a real terminal, and through pipes
 * without a user.
 */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { bough, put, start, until, withTestFolder } from "./program/Bough.ts"
import * as InProcess from "./program/InProcess.ts"
import { type Answer, remove, say, withModel } from "./program/ModelServer.ts"
import { type Screen, withScreen } from "./program/Screen.ts"
import * as ScreenInProcess from "./program/ScreenInProcess.ts"
import * as Talking from "./program/Talking.ts"
import type { Script, Use } from "./program/Talking.ts"

const tmux = requires("tmux")
const plain = ["--screen-reader"]
const write: Answer = { text: "", calls: [{ name: "write_file", arguments: { path: "b.txt", content: "b\n" } }] }

const talking = (script: Script, use: Use<Screen>): Promise<void> =>
  Talking.inProcess({ args: plain, files: { "a.txt": "a\n", "b.txt": "b\n" }, prompt: /›$/ }, script, use)

describe("a conversation in plain lines", () => {
  it("answers line by line, with hidden characters written out, and ends with Ctrl-D", () =>
    talking([say("Hello \u001B[2J\u202Ethere"), say("Again")], async ({ screen, server }) => {
      screen.type("hi")
      await screen.shows(String.raw`Hello \u{1b}[2J\u{202e}there`)
      await screen.shows(/tokens in .*\n›$/)
      screen.type("and now?")
      await screen.shows(/Again\n.*\n›$/)
      screen.press("C-d")
      await screen.shows("EXIT 0")
      assert.deepStrictEqual(
        server.requests[1].messages.filter(({ role }) => role === "user").map(({ content }) => content),
        ["hi", "and now?"]
      )
    }))

  it("truncates no row, and shows a change as a diff", () => {
    const content = `${"a long line of a file that is not a diff ".repeat(8)}end\n`
    const edit = { old: "b\n", new: "bee\n" }
    const calls = [
      { name: "write_file", arguments: { path: "a.txt", content } },
      { name: "edit_file", arguments: { path: "b.txt", edits: [edit] } },
      { name: "read_file", arguments: { path: `${"a-folder-of-a-long-name/".repeat(6)}missing.txt` } }
    ]
    return talking(
      [{ text: "", calls: calls.slice(1) }, { text: "", calls: [calls[0]] }, say("done")],
      async ({ screen }) => {
        screen.type("change them")
        const shown = (await screen.shows(/done\n.*\n›$/)).replaceAll(/\s+/gu, " ")
        assert.match(shown, /✓ [^→]*b\.txt[^→]*@@ -1 \+1 @@ -b \+bee/)
        assert.include(shown.replaceAll(" ", ""), `${"a-folder-of-a-long-name/".repeat(6)}missing.txt`)
        assert.match(shown, /write_file .*… \(172 more characters\)/)
        assert.include(shown.replaceAll(" ", ""), content.replaceAll(/\s+/gu, ""))
      }
    )
  })

  it("tells the model nothing of a command, and reads a path as text", () =>
    talking([say("A path")], async ({ screen, server }) => {
      screen.type("/compact")
      await screen.shows(/nothing to summarise yet\n›$/)
      screen.type("/etc/hosts is what?")
      await screen.shows(/A path\n.*\n›$/)
      assert.lengthOf(server.requests, 1)
      assert.strictEqual(server.requests[0].messages.at(-1)?.content, "/etc/hosts is what?")
    }))

  it("asks before an Elevated call; y lets it run once", () =>
    talking([remove("a.txt"), say("gone"), remove("b.txt"), say("kept")], async ({ place, screen }) => {
      screen.type("delete a.txt")
      const screenText = await screen.shows(/└ y allow · n deny with a reason · a always… · \? details/)
      assert.match(screenText, /┌ Allow delete_path\? \(outside the safe tier\)\n│ .*a\.txt/)
      assert.isTrue(existsSync(join(place.workspace, "a.txt")))
      // Neither Enter nor a word decides.
      screen.type("sure")
      // A key decides only if it comes alone: a key soon after the words above does not decide.
      await screen.pressUntil("y", /gone\n.*\n›/)
      screen.press("C-u")
      assert.isFalse(existsSync(join(place.workspace, "a.txt")))
      screen.type("delete b.txt")
      await screen.shows(/Allow \w+\?[\s\S]*Allow \w+\?[\s\S]*details$/)
      assert.isTrue(existsSync(join(place.workspace, "b.txt")))
    }))

  it("keeps an approval on the screen while the work continues, and shows the output of that time after the decision", () =>
    Talking.inProcess(
      { args: plain, files: { "a.txt": "a\n" }, prompt: /›$/, config: '{ "approvalGraceSeconds": 0.3 }' },
      [remove("a.txt"), write, say("I wait"), say("gone at last")],
      async ({ place, screen, server }) => {
        screen.type("delete a.txt")
        await screen.shows(/Allow \w+\?[\s\S]*details$/)
        await until(() => server.requests.length === 3)
        assert.isTrue(existsSync(join(place.workspace, "b.txt")))
        assert.isTrue(existsSync(join(place.workspace, "a.txt")))
        assert.notInclude(screen.text(), "I wait")
        screen.press("y")
        await screen.shows(/details\n[\s\S]*is waiting for approval[\s\S]*I wait\n[\s\S]*gone at last\n.*\n›$/)
        assert.isFalse(existsSync(join(place.workspace, "a.txt")))
      }
    ))

  it("n denies, with a reason that the model reads", () =>
    talking([remove("a.txt"), say("I see")], async ({ place, screen, server }) => {
      screen.type("delete a.txt")
      await screen.shows("details")
      screen.press("n")
      await screen.shows("reason (optional, Enter denies):")
      screen.type("it is the only copy")
      await screen.shows(/I see\n.*\n›$/)
      assert.isTrue(existsSync(join(place.workspace, "a.txt")))
      assert.include(JSON.stringify(server.requests[1].messages), "it is the only copy")
    }))

  it("a allows the call for the rest of the session by the rule that it shows", () =>
    talking([remove("a.txt"), say("gone"), remove("a.txt"), say("gone again")], async ({ place, screen }) => {
      screen.type("delete a.txt")
      await screen.shows(/│ always would allow: delete_path path=a\.txt\n└ y allow · .*a always/)
      screen.press("a")
      await screen.shows(/│ always would allow: delete_path path=a\.txt\n└ s this session/)
      screen.press("s")
      await screen.shows(/gone\n.*\n›$/)
      put(place, "a.txt", "new\n")
      screen.type("once more")
      await screen.shows(/gone again\n.*\n›$/)
      assert.isFalse(existsSync(join(place.workspace, "a.txt")))
      assert.lengthOf(screen.text().match(/┌ Allow /g) ?? [], 1)
    }))

  it("a, then u, saves the rule for all folders: another process in another folder does not ask", () =>
    talking(
      [remove("a.txt"), say("gone"), remove("a.txt"), say("gone there too")],
      async ({ place, screen, server }) => {
        screen.type("delete a.txt")
        await screen.shows("a always")
        screen.press("a")
        await screen.shows(/│ always would allow: delete_path path=a\.txt\n└ .*u all my folders/)
        screen.press("u")
        await screen.shows(/gone\n.*\n›$/)
        const there = put(place, "other/a.txt", "new\n")
        const ended = await InProcess.bough(place, ["run", "delete it", "--cwd", "other"], { env: server.env })
        assert.deepStrictEqual(
          [ended.code, ended.stdout, existsSync(there)],
          [0, "gone there too\n", false],
          ended.stderr
        )
        const [rule] = JSON.parse(
          (await InProcess.bough(place, ["policy", "--format", "json"], { cwd: place.home })).stdout
        )
        assert.deepInclude(rule, { scope: "user", rule: "delete_path path=a.txt", origin: "all folders" })
      }
    ))

  it("? shows everything that the decision covers, and decides nothing", () =>
    talking([remove("a.txt"), say("gone")], async ({ place, screen }) => {
      screen.type("delete a.txt")
      await screen.shows("details")
      screen.press("?")
      const all = await screen.shows(/arguments digest: sha256:[\s\S]*details$/)
      assert.match(all, /tool: delete_path, version \d+, tier Elevated/)
      assert.isTrue(existsSync(join(place.workspace, "a.txt")))
      screen.press("y")
      await screen.shows(/gone\n.*\n›$/)
    }))

  it("accepts no approval unread: an approval that does not fit the screen must be shown in full first", () =>
    talking(
      [
        {
          text: "",
          calls: [{ name: "write_file", arguments: { path: "AGENTS.md", content: "line\n".repeat(200) } }]
        },
        say("written")
      ],
      async ({ place, screen }) => {
        screen.type("write it")
        await screen.shows(
          /rows 1 to \d+ of 20\d: read all rows before you allow it\n└ Space more · n deny .* · \? details$/
        )
        screen.press("y")
        await screen.pressUntil("?", /└ y allow · n deny with a reason · .*\? details$/)
        assert.isFalse(existsSync(join(place.workspace, "AGENTS.md")))
        await screen.pressUntil("y", /written\n.*\n›/)
        assert.lengthOf(readFileSync(join(place.workspace, "AGENTS.md"), "utf8").split("\n"), 201)
      }
    ))

  it("Ctrl-C stops a turn and not the conversation; twice at the prompt it quits", () =>
    talking([{ hangAfter: "Let me think" }, say("Here I am")], async ({ screen }) => {
      screen.type("think")
      await screen.shows("Let me think")
      screen.press("C-c")
      await screen.shows(/stopped\n›$/)
      screen.type("hello?")
      await screen.shows(/Here I am\n.*\n›$/)
      screen.press("C-c")
      await screen.shows("press Ctrl-C again to quit")
      screen.press("C-c")
      assert.match(await screen.shows("EXIT"), /EXIT 0$/)
    }))

  it("Ctrl-C at an approval stops the turn, and the call is not run", () =>
    talking([remove("a.txt"), say("what now?")], async ({ place, screen }) => {
      screen.type("delete a.txt")
      await screen.shows("details")
      screen.press("C-c")
      await screen.shows(/stopped\n›$/)
      assert.isTrue(existsSync(join(place.workspace, "a.txt")))
      screen.type("well?")
      await screen.shows(/what now\?\n.*\n›$/)
    }))

  it("sends a line that is typed meanwhile into the running turn, and keeps an unfinished one", () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const busy: Answer = { text: "Looking", calls: [{ name: "list_files", arguments: {} }], after: promise }
    return talking([busy, say("so I did")], async ({ screen, server }) => {
      screen.type("look around")
      await screen.shows("Looking")
      screen.type("only at the readme")
      await screen.shows("sent with the next step: only at the readme")
      screen.press("h", "a", "l", "f")
      resolve()
      await screen.shows(/so I did\n.*\n› half$/)
      assert.include(JSON.stringify(server.requests[1].messages.at(-1)), "only at the readme")
      assert.lengthOf(server.requests, 2)
    })
  })

  it("takes a paste of many lines as one message, which continues where it was pasted, and decides nothing with one", () => {
    const long = Array.from({ length: 200 }, (_, index) => `line ${index}`).join("\n")
    return talking([say("read"), remove("a.txt"), say("kept")], async ({ place, screen, server }) => {
      screen.press("h", "e", "a", "d", ":", "Space", "Z", "Left")
      screen.paste(long)
      await screen.shows(/› head: line 0\n… line 1\n… line 2\n… \(196 more lines\)\n… line 199Z$/)
      screen.type("!")
      await screen.shows(/read\n.*\n›$/)
      assert.strictEqual(server.requests[0].messages.at(-1)?.content, `head: ${long}Z!`)
      screen.type("delete a.txt")
      await screen.shows(/details$/)
      screen.paste("y")
      await screen.pressUntil("n", "reason (optional")
      assert.isTrue(existsSync(join(place.workspace, "a.txt")))
      screen.paste("because\nof this")
      await screen.shows(/Enter denies\): because\n… of this$/)
      screen.press("Enter")
      await screen.shows(/kept\n.*\n›$/)
      assert.match(JSON.stringify(server.requests[2].messages.at(-1)), /because.{1,3}nof this/)
      screen.paste("one\ntwo")
      await screen.shows(/› one\n… two$/)
      screen.press("C-c", "C-c")
      await screen.shows(/› one\n…\n›$/)
    })
  })

  it("asks once whether to trust a folder's instructions, and remembers the answer", () =>
    withTestFolder((place) =>
      withModel([say("Roses are red"), say("still red")], async (server) => {
        put(place, "AGENTS.md", "Answer in verse.\n")
        put(place, `.bough/commands/${"a".repeat(60)}.md`, "Look\n")
        await ScreenInProcess.withScreen(place, { env: server.env, args: plain }, async (screen) => {
          await screen.shows("Use them?")
          assert.match(screen.text(), /instructions: AGENTS\.md \(1 line\)\n\.bough\/commands\/a+\.md\s\(1 line\)\nUse/)
          screen.press("?")
          await screen.shows(/│ Answer in verse\.\n[\s\S]*Use them\?/)
          screen.press("y")
          await screen.shows(/›$/)
          screen.type("hi")
          await screen.shows(/red\n.*\n›$/)
        })
        assert.include(server.bodies[0], "Answer in verse.")
        await ScreenInProcess.withScreen(place, { env: server.env, args: plain }, async (screen) => {
          await screen.shows(/›$/)
          assert.notInclude(screen.text(), "Use them")
        })
      })
    ))

  it("continues with a call that a script left pending, in the same session", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel([remove("a.txt"), say("waits"), say("gone now")], async ({ env }) => {
        put(place, "a.txt", "a\n")
        assert.strictEqual((await InProcess.bough(place, ["run", "delete a.txt"], { env })).code, 3)
        await ScreenInProcess.withScreen(place, { env, args: ["--continue", ...plain] }, async (screen) => {
          await screen.shows(/resuming the unfinished turn[\s\S]*Allow delete_path\?[\s\S]*details$/)
          screen.press("y")
          await screen.shows(/gone now\n.*\n›$/)
        })
        assert.isFalse(existsSync(join(place.workspace, "a.txt")))
      })
    )
  )

  it("fits a narrow screen: text of the tool stays behind its bar on every row", () =>
    withTestFolder((place) =>
      withModel([remove(`${"long-".repeat(30)}.txt`), say("no")], async ({ env }) => {
        const path = `${"long-".repeat(30)}.txt`
        put(place, path, "a\n")
        await ScreenInProcess.withScreen(place, { env, args: ["run", "delete it"], columns: 30 }, async (screen) => {
          const rows = (await screen.shows("details")).split("\n")
          const [from, to] = [
            rows.findIndex((row) => row.startsWith("│")),
            rows.findIndex((row) => row.startsWith("└"))
          ]
          assert.isAbove(to - from, 6)
          assert.deepStrictEqual(
            rows.slice(from, to).filter((row) => !row.startsWith("│")),
            []
          )
        })
      })
    ))
})

describe.skipIf(tmux.skip)(`plain lines in a real terminal${tmux.suffix}`, () => {
  it("has colours if they are wanted, and none with NO_COLOR", () =>
    withTestFolder(async (place) => {
      const styled = (env: Readonly<Record<string, string>>): Promise<boolean> =>
        withScreen(place, { env, args: ["run", "--nope"] }, async (screen) => {
          await screen.shows("EXIT 2")
          return screen.isColoured()
        })
      assert.deepStrictEqual([await styled({}), await styled({ NO_COLOR: "1" })], [true, false])
    }))

  it("run asks too if it has a terminal", () =>
    withTestFolder((place) =>
      withModel([remove("a.txt"), say("gone")], async ({ env }) => {
        put(place, "a.txt", "a\n")
        await withScreen(place, { env, args: ["run", "delete a.txt"] }, async (screen) => {
          await screen.shows("details")
          assert.isTrue(existsSync(join(place.workspace, "a.txt")))
          screen.press("y")
          await screen.shows(/gone\nEXIT 0/)
          assert.isFalse(existsSync(join(place.workspace, "a.txt")))
        })
      })
    ))
})

describe("a conversation through pipes", () => {
  it("reads each line as a message, prints only the answers, and ends with the input", () =>
    withTestFolder((place) =>
      withModel([say("one"), say("two")], async ({ env, requests }) => {
        const ended = await bough(place, [], { env, stdin: "first\n\nsecond\n" })
        assert.deepStrictEqual([ended.code, ended.stdout], [0, "one\ntwo\n"])
        assert.lengthOf(requests, 2)
      })
    ))

  it("shows why a command of the agent failed, not all of its output", () =>
    withTestFolder((place) =>
      withModel(
        [
          {
            text: "",
            calls: [{ name: "run_command", arguments: { command: "seq 90; echo Error: lost; seq 91 180; exit 1" } }]
          },
          say("It failed.")
        ],
        async ({ env }) => {
          const { stderr } = await bough(place, [], { env, stdin: "build it\n" })
          assert.match(stderr, /exit 1 · .*\n│ … 89 more lines\n│ 90\n│ Error: lost\n│ 91\n/)
          assert.match(stderr, /│ 179\n│ 180\n/)
          assert.notMatch(stderr, /│ 50\n/)
        }
      )
    ))

  it("exits with the code of the last turn's outcome", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel([remove("a.txt"), say("waits")], async ({ env }) => {
        put(place, "a.txt", "a\n")
        const ended = await bough(place, [], { env, stdin: "delete a.txt\n" })
        assert.deepStrictEqual([ended.code, ended.stdout], [3, "waits\n"])
        const failed = await bough(place, [], { env: { ...env, BOUGH_RETRIES: "0" }, stdin: "and again\n" })
        assert.deepStrictEqual([failed.code, failed.stdout], [1, ""])
      })
    )
  )

  it("answers while the input stays open", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel([say("one"), say("two")], async ({ env }) => {
        const running = start(place, [], { env })
        running.child.stdin?.write("first\n")
        await until(() => running.stdout() === "one\n")
        running.child.stdin?.end("second\n")
        assert.deepStrictEqual((await running.ended).stdout, "one\ntwo\n")
      })
    )
  )
})

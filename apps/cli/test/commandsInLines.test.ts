/**
 * The commands of a conversation in plain lines: the same as on the screen, with numbers for choices, and through pipes
 * without a user.
 */
import { assert, describe, it } from "@effect/vitest"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { slashCommands } from "../src/ui/conversation/SlashCommands.ts"
import { lines, put, start, until } from "./program/Bough.ts"
import * as Configured from "./program/Configured.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, type ModelServer, say } from "./program/ModelServer.ts"

const tmux = requires("tmux")

const setting = { prompt: /›$/, args: ["--screen-reader"] }
const talking = Configured.inProcess(setting)
const choicePrompt = "number or name (Enter for none):"
const contents = ({ requests }: ModelServer, at: number): ReadonlyArray<unknown> =>
  requests[at].messages.filter(({ role }) => role !== "system").map(({ content }) => content)

describe("commands in plain lines", () => {
  it("/help lists the screen's commands, and the keys of plain lines", () =>
    talking([], async ({ converse }) => {
      await converse(async (screen) => {
        screen.type("/help")
        const text = await screen.shows(/^Ctrl-Z .*\n›$/mu)
        const names = text.match(/^(?:[/!@][\w-]+|Enter|Tab|Ctrl-\w|\\ before Enter)(?=.* {2}\w)/gmu)
        const commands = slashCommands.map(({ name }) => `/${name}`)
        assert.deepStrictEqual(names, [
          ...commands,
          "!COMMAND",
          "@SERVER",
          "Enter",
          "\\ before Enter",
          "Ctrl-C",
          "Ctrl-Z"
        ])
      })
    }))

  it("/model lists numbered models, changes the model of later turns, and remembers it", () =>
    talking([say("I am the other one"), say("Still me")], async ({ converse, place, server }) => {
      await converse(async (screen) => {
        screen.type("/model")
        const listed = await screen.shows(/Enter for none\):$/)
        assert.match(
          listed,
          /^now +openai-compatible\/scripted\n {2}1 {2}openai-compatible\/scripted +runs here, at 127/m
        )
        const [, number] = /^ {2}(\d) {2}openai-compatible\/other:8b/m.exec(listed) ?? []
        screen.type(number)
        await screen.shows(/Now using openai-compatible\/other:8b \(saved in ~\/\.config\/bough\/config\.jsonc\)\n›$/)
        screen.type("who are you?")
        await screen.shows(/I am the other one\n.*\n›$/)
      })
      assert.match(Configured.configOf(place), /\/\/ mine\n\s*"model": "openai-compatible\/other:8b"/)
      await converse(async (screen) => {
        screen.type("/model openai-compatible/scripted")
        await screen.shows(/Now using openai-compatible\/scripted \(saved[^›]*›$/)
        screen.type("/model")
        await screen.shows(choicePrompt)
        screen.type("openai-compatible/other:8b")
        await screen.shows(/Now using openai-compatible\/other:8b \(saved[^›]*›$/)
        screen.type("and now?")
        await screen.shows("Still me")
      })
      assert.deepStrictEqual(
        server.requests.map(({ model }) => model),
        ["other:8b", "other:8b"]
      )
    }))

  it("an unknown number, model, level, session, entry or command is one line, and changes nothing", thoroughOnly, () =>
    talking([say("A pear"), say("Still me")], async ({ converse, place, server }) => {
      const before = Configured.configOf(place)
      await converse(async (screen) => {
        screen.type("remember the pear")
        await screen.shows(/A pear\n.*\n›$/)
        screen.type("/model")
        await screen.shows(choicePrompt)
        screen.type("7")
        await screen.shows(/7 is not listed: choose 1 to 2, or Enter for none\nnumber[^›]*$/)
        screen.press("Enter")
        await screen.shows(/Enter for none\):\n›$/)
        screen.type("/model")
        await screen.shows(/\):\n› \/model\n[^›]*number or name[^›]*$/)
        screen.press("C-c")
        await screen.shows(/Enter for none\):\n›$/)
        const refusals: ReadonlyArray<readonly [string, RegExp]> = [
          ["/model acme/large", /bough: no provider for the model "acme\/large" — name it as/],
          ["/effort much", /bough: unknown effort "much" — choose one of none, minimal, low/],
          ["/sessions ses_nobody", /bough: no session ses_nobody — "bough sessions" lists them/],
          [
            "/fork here",
            /bough: \/fork takes the number of an entry, not "here" — "bough sessions show[\s\S]*numbers the\s+entries/
          ],
          ["/fork 999", /bough: the session has no entry 999: its last is \d+ — "bough sessions show/],
          ["/modle", /Unknown command \/modle\. Did you mean \/model\? Start with a space to send it as text/],
          ["!", /write a command after the !/]
        ]
        for (const [typed, told] of refusals) {
          screen.type(typed)
          await screen.shows(new RegExp(`${told.source}[^›]*›$`))
        }
        screen.type(" /modle is what?")
        await screen.shows(/Still me\n.*\n›$/)
      })
      assert.deepStrictEqual(contents(server, 1), ["remember the pear", "A pear", "/modle is what?"])
      assert.strictEqual(Configured.configOf(place), before)
    })
  )

  it("/effort sets the reasoning effort of later turns, and remembers it", () =>
    talking([say("Thought")], async ({ converse, place, server }) => {
      await converse(async (screen) => {
        screen.type("/effort")
        await screen.shows(/now +the provider's default\n {2}1 {2}none\n[\s\S]*\n {2}5 {2}high[\s\S]*\):$/)
        screen.type("5")
        await screen.shows(/scripted, effort high \(saved in[^›]*›$/)
        screen.type("hi")
        await screen.shows("Thought")
      })
      assert.strictEqual(server.requests[0].reasoning_effort, "high")
      assert.match(Configured.configOf(place), /"effort": "high"/)
    }))

  it("/sessions lists the sessions by title, continues with the chosen one, and shows its last message", () =>
    talking([say("A pear"), say("A plum"), say("Of the pear")], async ({ converse, env, place, server }) => {
      await bough(place, ["run", "remember the pear"], { env })
      await bough(place, ["run", "remember the plum"], { env })
      await converse(async (screen) => {
        screen.type("/sessions")
        const listed = await screen.shows(/Enter for none\):$/)
        assert.match(
          listed,
          /^ {2}1 {2}remember the plum · [-\d]+ [:\d]+ · idle · ses_\w+\n {2}2 {2}remember the pear · /m
        )
        screen.type("2")
        await screen.shows(/session ses_\w+\n +\d+ {2}you: remember the pear\n +\d+ {2}agent: A pear\n›$/)
        screen.type("which fruit?")
        await screen.shows(/Of the pear\n.*\n›$/)
        screen.type("/sessions")
        const [, current] = (await screen.shows(/\(this one\)[\s\S]*\):$/)).match(/\(this one\) · (ses_\w+)/) ?? []
        screen.type(current.slice(0, -2))
        await screen.shows(/that session is open already\n›$/)
      })
      assert.deepStrictEqual(contents(server, 2), ["remember the pear", "A pear", "which fruit?"])
    }))

  it("/resume WORDS lists the sessions by their titles and their messages, with the passage, and opens the chosen one", () =>
    talking(
      [say("A pear"), say("A plum, ripened in the cellar"), say("The plum")],
      async ({ converse, env, place, server }) => {
        await bough(place, ["run", "remember the pear"], { env })
        await bough(place, ["run", "remember a fruit"], { env })
        await converse(async (screen) => {
          screen.type("/resume cellar")
          const listed = await screen.shows(/Enter for none\):$/)
          assert.match(
            listed,
            /^ {2}1 {2}remember a fruit · [-\d]+ [:\d]+ · idle · agent: A plum, ripened in the cellar ·\s+ses_\w+$/m
          )
          assert.notInclude(listed, "pear")
          screen.type("1")
          await screen.shows(/session ses_\w+\n +\d+ {2}you: remember a fruit\n[\s\S]*›$/)
          screen.type("which one?")
          await screen.shows(/The plum\n.*\n›$/)
          screen.type("/resume PEAR")
          await screen.shows(/^ {2}1 {2}remember the pear · (?:(?!^ {2}2)[\s\S])*Enter for none\):$/m)
          screen.type("")
          await screen.shows(/Enter for none\):\n›$/)
          screen.type("/resume banana")
          await screen.shows(/no session of this workspace matches: banana\n›$/)
        })
        assert.deepStrictEqual(contents(server, 2), ["remember a fruit", "A plum, ripened in the cellar", "which one?"])
      }
    ))

  it("/fork continues in a copy and leaves the session unchanged, /tools lists the tools of both, /quit leaves", () =>
    talking([say("A pear"), say("Of the copy")], async ({ converse, place, server }) => {
      const sessions: Array<string> = []
      await converse(async (screen) => {
        screen.type("/fork")
        await screen.shows(/nothing to fork yet\n›$/)
        screen.type("remember the pear")
        await screen.shows(/A pear\n.*\n›$/)
        screen.type("/tools")
        await screen.shows(/^read_file +ReadOnly: [\s\S]*^delete_path +[\s\S]*\n›$/mu)
        screen.type("/fork")
        const forked = await screen.shows(/forked ses_\w+; this is now session ses_\w+\n›$/)
        sessions.push(...(forked.match(/ses_\w+(?=; this is)|(?<=; this is now session )ses_\w+/gu) ?? []))
        screen.type("which fruit?")
        await screen.shows(/Of the copy\n.*\n›$/)
        screen.type("/quit")
        await screen.shows("EXIT 0")
      })
      const [original, copy] = sessions
      const exportOf = async (sessionId: string) => (await bough(place, ["sessions", "export", sessionId])).stdout
      assert.notInclude(await exportOf(original), "which fruit?")
      assert.match(await exportOf(copy), /remember the pear[\s\S]*A pear[\s\S]*which fruit\?[\s\S]*Of the copy/)
      assert.deepStrictEqual(contents(server, 1), ["remember the pear", "A pear", "which fruit?"])
    }))

  it("/compact replaces the history with a summary; Ctrl-C stops it, and nothing is lost", () => {
    const tale = "a tale of many pears ".repeat(200)
    return talking(
      [say(tale), say("Then winter came"), { hangAfter: "It was" }, say("In short: pears"), say("And spring")],
      async ({ converse, server }) => {
        await converse(async (screen) => {
          screen.type("/compact")
          await screen.shows(/nothing to summarise yet\n›$/)
          screen.type("tell me")
          await screen.shows(/pears\s*\n.* out\n›$/)
          screen.type("and then?")
          await screen.shows(/winter came\n.* out\n›$/)
          screen.type("/compact")
          await until(() => server.requests.length === 3)
          screen.press("C-c")
          await screen.shows(/stopped\n›$/)
          screen.type("/compact")
          await screen.shows(/Compacted about [\d,]+ → [\d,]+ tokens; the full history is kept in the session\n›$/)
          screen.type("and now?")
          await screen.shows(/And spring\n.* out\n›$/)
        })
        assert.include(JSON.stringify(server.requests[3].messages), tale.trim())
        const last = JSON.stringify(server.requests[4].messages)
        assert.match(last, /In short: pears.*and now\?/)
        assert.notInclude(last, "a tale of many pears")
      }
    )
  })

  it("/cost shows the usage, also of continued sessions", () =>
    talking([say("A pear"), say("A plum")], async ({ converse, env, place }) => {
      await bough(place, ["run", "a fruit"], { env })
      await converse(
        async (screen) => {
          screen.type("another")
          await screen.shows(/A plum\n.*\n›$/)
          screen.type("/cost")
          const screenText = await screen.shows(/^tokens in[\s\S]*\n›$/m)
          assert.match(screenText, /tokens in +20\ntokens out +10\ncost +unknown: .*\ncontext +15 tokens[;,] .*\n›$/)
        },
        { args: ["--screen-reader", "--continue"] }
      )
    }))

  it("edits a line at its end if the cursor cannot be moved, and takes a paste of several lines one by one", () =>
    talking([say("Well")], async ({ converse, env, server }) => {
      await converse(
        async (screen) => {
          screen.press("h", "e", "l", "p", "BSpace", "l", "o", "Space", "世", "界", "BSpace", "Space", "x", "C-w")
          await screen.shows(/› hello 世$/)
          screen.press("Enter")
          await screen.shows(/Well\n.*\n›$/)
          screen.press("a", "C-c")
          await screen.shows(/› a\n›$/)
          screen.paste("/effort\n5\n/cost\nhalf")
          await screen.shows(/\): 5\n.*effort high \(saved[\s\S]*› \/cost\ntokens in[\s\S]*› half$/)
          screen.press("C-u", "C-d")
          await screen.shows("EXIT 0")
        },
        { args: [], env: { ...env, TERM: "dumb" } }
      )
      assert.deepStrictEqual(contents(server, 0), ["hello 世"])
    }))

  it("holds a command that is typed during a turn until the turn ends", thoroughOnly, () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const busy: Answer = { text: "Looking", calls: [{ name: "list_files", arguments: {} }], after: promise }
    return talking([busy, say("so I did")], async ({ converse, server }) => {
      await converse(async (screen) => {
        screen.type("look around")
        await screen.shows("Looking")
        screen.type("/fork")
        await screen.shows("  queued: /fork")
        screen.type("/frok")
        await screen.shows("Unknown command /frok. Did you mean /fork?")
        screen.type("/quit")
        await screen.shows("  queued: /quit")
        resolve()
        await screen.shows(
          /so I did\n.*\n› \/fork\nforked ses_\w+; this is now session ses_\w+\n› \/quit\n[\s\S]*resume it[\s\S]*\nEXIT 0/
        )
      })
      assert.notInclude(server.bodies[1], "/fork")
    })
  })
})

describe.skipIf(tmux.skip)(`commands in plain lines of a real terminal${tmux.suffix}`, () => {
  it("!COMMAND runs a command of the user and shows all its output", () =>
    Configured.talking(setting)([], async ({ converse, place, server }) => {
      put(place, "rows.txt", Array.from({ length: 3_000 }, (_, index) => `row ${index}\n`).join(""))
      await converse(async (screen) => {
        screen.type("!cat rows.txt; exit 3")
        const text = await screen.shows(/│ row 2999\n›$/)
        const rows = text.match(/│ row \d+/g) ?? []
        assert.strictEqual(new Set(rows).size, 3_000)
        assert.match(text, /✗ .*\n│ row 0\n/)
      })
      assert.lengthOf(server.requests, 0)
    }))
})

describe("commands through pipes", () => {
  it("work as they do at a terminal, ask no user and save nothing for other conversations", () =>
    talking([say("A pear"), say("Other")], async ({ env, place, server }) => {
      const before = Configured.configOf(place)
      const stdin = "a fruit\n/model\n/model openai-compatible/other:8b\nand you?\n/cost\n"
      const ended = await bough(place, [], { env, stdin })
      assert.deepStrictEqual([ended.code, ended.stdout], [0, "A pear\nOther\n"], ended.stderr)
      assert.match(
        ended.stderr,
        /\n {2}2 {2}openai-compatible\/other:8b .*\n.*\/model PROVIDER\/MODEL uses any other model\n/
      )
      assert.match(ended.stderr, /Now using openai-compatible\/other:8b \(this conversation only\)\n/)
      assert.match(ended.stderr, /tokens in +20\n/)
      assert.deepStrictEqual(contents(server, 1), ["a fruit", "A pear", "and you?"])
      assert.strictEqual(server.requests[1].model, "other:8b")
      assert.strictEqual(Configured.configOf(place), before)
    }))

  it("exit with the code of the last command's error", () =>
    talking([say("A pear")], async ({ env, place }) => {
      for (const wrong of ["/modle", "/effort much", "/sessions ses_nobody"]) {
        const ended = await bough(place, [], { env, stdin: `${wrong}\n` })
        assert.deepStrictEqual([ended.code, ended.stdout, lines(ended.stderr).length], [2, "", 1], ended.stderr)
      }
      const repaired = await bough(place, [], { env, stdin: "/modle\na fruit\n" })
      assert.deepStrictEqual([repaired.code, repaired.stdout], [0, "A pear\n"])
    }))

  it("a session that is open in another process is not opened, and the current one continues", thoroughOnly, () =>
    talking([say("Mine"), say("Still mine")], async ({ env, place, server }) => {
      const other = start(place, [], { env })
      other.child.stdin?.write("first\n")
      await until(() => other.stdout() === "Mine\n")
      const [id] = lines((await bough(place, ["sessions", "list"])).stdout).flatMap((line) => line.split(" ")[0])
      const ended = await bough(place, [], { env, stdin: `/sessions ${id}\nsecond\n` })
      assert.deepStrictEqual([ended.code, ended.stdout], [0, "Still mine\n"], ended.stderr)
      assert.match(ended.stderr, new RegExp(`session ${id}\\nbough: .*${id}`))
      assert.deepStrictEqual(contents(server, 1), ["second"])
      other.child.stdin?.end()
      await other.ended
    })
  )
})

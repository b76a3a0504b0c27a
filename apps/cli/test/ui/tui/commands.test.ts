/**
 * The commands of a conversation that change the model or the session, and images by their path, in the process of the
 * test.
 */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { thoroughOnly } from "../../../../../test/thorough.ts"
import { lines, put, until } from "../../program/Bough.ts"
import * as Configured from "../../program/Configured.ts"
import { bough } from "../../program/InProcess.ts"
import { say } from "../../program/ModelServer.ts"

const talking = Configured.inProcess({ prompt: /›\n.* workspace.*$/ })

/** One pixel. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

describe("commands of a conversation", () => {
  it("/model lists the models, changes the model of later turns, and remembers it", () =>
    talking([say("I am the other one"), say("Still me")], async ({ converse, place, server }) => {
      await converse(async (screen) => {
        screen.type("/model")
        const listed = await screen.shows(/other:8b .*runs here[\s\S]*Enter chooses/)
        assert.match(listed, /^› openai-compatible\/scripted +runs here, at 127\.0\.0\.1:\d+$/m)
        // Known models of other providers, with their prices.
        assert.match(listed, /^ {2}anthropic\/\S+ +\$[\d.]+ in, \$[\d.]+ out per million · context /m)
        screen.type("other")
        await screen.shows(/Now using openai-compatible\/other:8b \(saved in ~\/\.config\/bough\/config\.jsonc\)/)
        await screen.shows(/›\n.*openai-compatible\/other:8b · workspace.*$/)
        screen.type("who are you?")
        await screen.shows(/I am the other one\n.* out\n›\n/)
      })
      assert.strictEqual(server.requests[0].model, "other:8b")
      assert.match(Configured.configOf(place), /\/\/ mine\n\s*"model": "openai-compatible\/other:8b"/)
      await converse(async (screen) => {
        screen.type("and now?")
        await screen.shows("Still me")
      })
      assert.strictEqual(server.requests[1].model, "other:8b")
    }))

  it("/model reports a model that cannot be used, and changes nothing", () =>
    talking([say("It is still me")], async ({ converse, place, server }) => {
      const before = Configured.configOf(place)
      await converse(async (screen) => {
        screen.type("/model scriptet")
        await screen.shows(/there is no model "scriptet"[\s\S]*did you mean openai-compatible\/scripted\?[\s\S]*›\n/)
        screen.type("/model acme/large")
        await screen.shows(/no provider for the model "acme\/large"[\s\S]*›\n/)
        screen.type("who?")
        await screen.shows("It is still me")
      })
      assert.strictEqual(server.requests[0].model, "scripted")
      assert.strictEqual(Configured.configOf(place), before)
    }))

  it("/effort sets the reasoning effort of later turns, remembers it, and yields to --effort", () =>
    talking([say("Thought"), say("Again"), say("Less")], async ({ converse, env, place, server }) => {
      await converse(async (screen) => {
        screen.type("/effort much")
        await screen.shows(/unknown effort "much"[\s\S]*none, minimal, low, medium, high, xhigh, max/)
        screen.type("/effort high")
        await screen.shows(/effort high \(saved in[\s\S]*›\n.*scripted · effort high · workspace.*$/)
        screen.type("hi")
        await screen.shows("Thought")
      })
      await bough(place, ["run", "hi"], { env })
      await bough(place, ["run", "--effort", "low", "hi"], { env })
      assert.deepStrictEqual(
        server.requests.map(({ reasoning_effort }) => reasoning_effort),
        ["high", "high", "low"]
      )
      const wrong = await bough(place, ["run", "--effort", "much", "hi"], { env })
      assert.strictEqual(wrong.code, 2)
      assert.match(wrong.stderr, /effort[\s\S]*xhigh/)
      const offline = await bough(place, ["run", "--model", "offline/planner", "--effort", "low", "what time is it"])
      assert.include(offline.stderr, "offline/planner has no reasoning effort: --effort is ignored")
    }))

  it("/sessions lists the sessions, and continues with another one by a prefix of its id", () =>
    talking([say("A pear"), say("Of the pear")], async ({ converse, env, place, server }) => {
      await bough(place, ["run", "remember the pear"], { env })
      const [earlier] = lines((await bough(place, ["sessions", "list", "--format", "json"])).stdout).flatMap(
        (line) => /ses_\w+/.exec(line)?.[0] ?? []
      )
      await converse(async (screen) => {
        screen.type("/sessions")
        await screen.shows(/Resume a session\n\?\n› remember the pear +just now\n +A pear\n.* Esc closes/)
        screen.press("Escape")
        await screen.shows(/›\n.* workspace.*$/)
        screen.type(`/sessions ${earlier.slice(0, -2)}`)
        await screen.shows(
          /opened “remember the pear”\n[\s\S]*› remember the pear\nA pear\n[\s\S]*workspace · remember the pear$/
        )
        screen.type("which fruit?")
        await screen.shows(/Of the pear\n.* out\n›\n/)
        screen.type(`/sessions ${earlier}`)
        await screen.shows("that session is open already")
        // The list is filtered by a word of the answer.
        screen.type("/resume")
        await screen.shows("Resume a session")
        screen.type("of the")
        await screen.shows(/that session is open already[\s\S]*that session is open already/)
      })
      const conversation = server.requests[1].messages.filter(({ role }) => role !== "system")
      assert.deepStrictEqual(
        conversation.map(({ content, role }) => [role, content]),
        [
          ["user", "remember the pear"],
          ["assistant", "A pear"],
          ["user", "which fruit?"]
        ]
      )
    }))

  it("/resume finds a session by a word that was said anywhere in it, typed into the list or after the command", () =>
    talking([say("Noted"), say("Something else")], async ({ converse, env, place }) => {
      await bough(place, ["run", `remember\n${"this and that ".repeat(2_000)} and the quokka`], { env })
      await bough(place, ["run", "another"], { env })
      await converse(async (screen) => {
        screen.type("/resume")
        await screen.shows(/Resume a session\n\?\n› another +just now\n/)
        screen.press("-l", "quokka")
        await screen.shows(/› remember +just now\n +you: … .*the quokka\n.* 1 of 2\n/)
        screen.press("Enter")
        await screen.shows(/opened “remember”[\s\S]*workspace · remember$/)
        screen.type("/new")
        await screen.shows(/new session[\s\S]*›\n/)
        screen.type("/resume the quokka")
        await screen.shows(/› remember +just now\n +you: … .*the quokka\n/)
        screen.press("Enter")
        assert.include(await screen.shows(/opened “remember”[\s\S]*opened “remember”/), "Noted")
      })
    }))

  it("Escape twice at the empty prompt returns to before a message, whose text is in the editor again", () =>
    talking([say("A pear"), say("An apple"), say("A plum")], async ({ converse, server }) => {
      await converse(async (screen) => {
        screen.type("first")
        await screen.shows(/A pear\n.* out\n›\n/)
        screen.type("second")
        await screen.shows(/An apple\n.* out\n›\n/)
        screen.press("Escape")
        await screen.shows("press Esc again to rewind")
        screen.press("Escape")
        await screen.shows(/Rewind to before a message\n\?\n› second +the last message\n {2}first\n/)
        screen.press("Enter")
        await screen.shows(/forked “first”[\s\S]*› second\n/)
        screen.type(" third")
        await screen.shows(/A plum\n.* out\n›\n/)
      })
      const conversation = server.requests[2].messages.filter(({ role }) => role !== "system")
      assert.deepStrictEqual(
        conversation.map(({ content }) => content),
        ["first", "A pear", "second third"]
      )
    }))

  it("/rewind returns to before the first message with the files, and /redo takes that back", () => {
    const write = { name: "write_file", arguments: { path: "a.txt", content: "new\n" } }
    return talking(
      [{ text: "", calls: [write] }, say("Written"), say("A plum")],
      async ({ converse, env, place, server }) => {
        put(place, "a.txt", "old\n")
        await converse(
          async (screen) => {
            screen.type("write it")
            await screen.shows(/Written\n.* out\n›\n/)
            assert.strictEqual(readFileSync(join(place.workspace, "a.txt"), "utf8"), "new\n")
            screen.type("/rewind")
            await screen.shows(/Rewind to before a message\n\?\n› write it +the last message\n/)
            screen.press("Enter")
            await screen.shows(/Rewind what\?\n\?\n› The conversation and the files/)
            screen.press("Enter")
            await screen.shows(/restored {2}a\.txt[\s\S]*› write it\n/)
            assert.strictEqual(readFileSync(join(place.workspace, "a.txt"), "utf8"), "old\n")
            screen.type(" better")
            await screen.shows(/A plum\n.* out\n›\n/)
            screen.type("/redo")
            await screen.shows(/reverted the undo of turn 1/)
            assert.strictEqual(readFileSync(join(place.workspace, "a.txt"), "utf8"), "new\n")
          },
          { env: { ...env, BOUGH_UNDO: "" } }
        )
        const conversation = server.requests[2].messages.filter(({ role }) => role !== "system")
        assert.notInclude(JSON.stringify(conversation), "Written")
        assert.strictEqual(conversation.at(-1)?.content, "write it better")
      }
    )
  })

  it("/theme changes the colours, saves the choice, and reports an invalid file", () =>
    talking([], async ({ converse, place }) => {
      const themes = join(dirname(place.config), "themes")
      await converse(async (screen) => {
        screen.type("/theme")
        await screen.shows(/Theme\n\?\n› auto +dark or light.*\n {2}dark +.*\n {2}light +/)
        screen.type("light")
        await screen.shows(/Theme light \(saved in [\s\S]*config\.jsonc\)/)
        mkdirSync(themes, { recursive: true })
        writeFileSync(join(themes, "wrong.json"), '{ "colours": { "accent": "mauve-ish" } }')
        writeFileSync(join(themes, "sea.json"), '{ "base": "dark", "colours": { "accent": "#00aaff", "string": 78 } }')
        screen.type("/theme wrong")
        await screen.shows(/the theme .*wrong\.json cannot\s+be\s+used[\s\S]*is\s+not\s+a\s+colour/)
        screen.type("/theme sea")
        await screen.shows(/Theme sea \(saved in/)
        screen.type("/theme nothing")
        await screen.shows(/there is no theme "nothing" — themes: auto, dark, light, sea, wrong/)
      })
      assert.match(Configured.configOf(place), /"theme": "sea"/)
    }))

  it("/fork continues in a copy and leaves the session unchanged, /tools lists the tools of both, /quit leaves", () =>
    talking([say("A pear"), say("Of the copy")], async ({ converse, place, server }) => {
      await converse(async (screen) => {
        screen.type("remember the pear")
        await screen.shows(/A pear\n.* out\n›\n/)
        screen.type("/tools")
        await screen.shows(/^read_file +ReadOnly: [\s\S]*^delete_path +[\s\S]*›\n/mu)
        screen.type("/fork")
        await screen.shows(/forked “remember the pear”; \/sessions returns to the original[\s\S]*›\n/)
        screen.type("which fruit?")
        await screen.shows(/Of the copy\n.* out\n›\n/)
        screen.type("/quit")
        await screen.shows("EXIT 0")
      })
      const listed = lines((await bough(place, ["sessions", "list", "--format", "json"])).stdout)
      const [copy, original] = new Set(listed.flatMap((line) => /ses_\w+/.exec(line)?.[0] ?? []))
      assert.notStrictEqual(copy, original)
      const exportOf = async (sessionId: string) => (await bough(place, ["sessions", "export", sessionId])).stdout
      assert.notInclude(await exportOf(original), "which fruit?")
      assert.match(await exportOf(copy), /remember the pear[\s\S]*A pear[\s\S]*which fruit\?[\s\S]*Of the copy/)
      assert.match(JSON.stringify(server.requests[1].messages), /remember the pear.*A pear.*which fruit\?/)
    }))

  it("/compact replaces the history with a summary; Ctrl-C stops it, and nothing is lost", thoroughOnly, () => {
    const tale = "a tale of many pears ".repeat(200)
    return talking(
      [say(tale), say("Then winter came"), { hangAfter: "It was" }, say("In short: pears"), say("And spring")],
      async ({ converse, server }) => {
        await converse(async (screen) => {
          screen.type("tell me")
          await screen.shows(/many pears\n.* out\n›\n/)
          screen.type("and then?")
          await screen.shows(/winter came\n.* out\n›\n/)
          screen.type("/compact")
          await until(() => server.requests.length === 3)
          screen.press("C-c")
          await screen.shows(/stopped\n›\n/)
          screen.type("/compact")
          // No provider has counted the next prompt yet.
          await screen.shows(
            /Compacted about [\d,]+ → [\d,]+ tokens; the full history is kept in the session\n›\n\S+ · workspace.*$/
          )
          screen.type("and now?")
          await screen.shows(/And spring\n.* out\n›\n/)
        })
        assert.include(JSON.stringify(server.requests[3].messages), tale.trim())
        const last = JSON.stringify(server.requests[4].messages)
        assert.match(last, /In short: pears.*and now\?/)
        assert.notInclude(last, "a tale of many pears")
      }
    )
  })

  it("an image whose path is dropped or pasted goes to the model unchanged", () =>
    talking([say("A pixel")], async ({ converse, place, server }) => {
      const file = join(place.home, "my picture.png")
      writeFileSync(file, Buffer.from(png, "base64"))
      await converse(async (screen) => {
        // As terminals drop a file: its path with the blank escaped.
        screen.paste(file.replace(" ", "\\ "))
        await screen.shows("[image my picture.png]")
        screen.type(" what is it?")
        await screen.shows(/A pixel\n.* out\n›\n/)
      })
      assert.deepStrictEqual(server.requests[0].messages.at(-1)?.content, [
        { type: "text", text: "[image my picture.png] what is it?" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } }
      ])
    }))
})

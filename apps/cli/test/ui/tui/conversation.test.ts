/** The conversation on the screen, with a user's keys, in the process of the test. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { requires } from "../../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../../test/thorough.ts"
import { put, until, withTestFolder } from "../../program/Bough.ts"
import { bough } from "../../program/InProcess.ts"
import { type Answer, remove, say, withModel } from "../../program/ModelServer.ts"
import type { Screen } from "../../program/Screen.ts"
import { withScreen } from "../../program/ScreenInProcess.ts"
import * as Talking from "../../program/Talking.ts"
import type { Script, Use } from "../../program/Talking.ts"

const bubblewrap = requires("bubblewrap")
const quickly = '{ "approvalGraceSeconds": 0.5 }'

/** The empty prompt above the status, with no work running. */
const ready = /out\n›\n.* workspace.*$/
const first = /quits\n›\n.* workspace.*$/

const talking = (script: Script, use: Use<Screen>, setting: Partial<Talking.Setting> = {}): Promise<void> =>
  Talking.inProcess({ files: { "a.txt": "a\n", "b.txt": "b\n" }, prompt: first, ...setting }, script, use)

describe("the conversation on the screen", () => {
  it("answers in Markdown with hidden characters written out, and ends with Ctrl-D", () =>
    talking([say("Hello \u001B[2J\u202E*there*"), say("Again")], async ({ screen, server }) => {
      screen.type("hi")
      await screen.shows(ready)
      assert.include(screen.text(), String.raw`Hello \u{1b}[2J\u{202e}there`)
      screen.type("and now?")
      await screen.shows(/Again\n.*\n›\n.*$/)
      screen.press("C-d")
      await screen.shows("EXIT 0")
      assert.deepStrictEqual(
        server.requests[1].messages.filter(({ role }) => role === "user").map(({ content }) => content),
        ["hi", "and now?"]
      )
    }))

  it("asks before an Elevated call; y lets it run once, a word or Enter does not", () =>
    talking([remove("a.txt"), say("gone"), remove("b.txt"), say("kept")], async ({ place, screen }) => {
      screen.type("delete a.txt")
      const screenText = await screen.shows(/└ y allow · n deny with a reason · a always… · \? details/)
      assert.match(screenText, /┌ Allow delete_path\? \(outside the safe tier\)\n│ .*a\.txt/)
      assert.isTrue(existsSync(join(place.workspace, "a.txt")))
      screen.type("sure")
      await screen.pressUntil("y", "└ allowed once")
      await screen.shows(/└ allowed once\n✓ Deleted a\.txt\ngone\n/)
      assert.isFalse(existsSync(join(place.workspace, "a.txt")))
      screen.type("delete b.txt")
      await screen.shows(/Allow \w+\?[\s\S]*Allow \w+\?[\s\S]*details/)
      assert.isTrue(existsSync(join(place.workspace, "b.txt")))
    }))

  it("continues with other work while an approval is pending, which stays on the screen and takes effect when it is decided", () =>
    talking(
      [
        remove("a.txt"),
        { text: "", calls: [{ name: "write_file", arguments: { path: "c.txt", content: "c\n" } }] },
        say("I wait"),
        say("noted"),
        say("gone at last")
      ],
      async ({ place, screen, server }) => {
        screen.type("delete a.txt")
        const waits = await screen.shows(
          /delete_path is waiting for approval[\s\S]*I wait\n[\s\S]*Allow delete_path\?[\s\S]*└ y allow[\s\S]*Waiting for approval/
        )
        assert.match(waits, /c\.txt/)
        assert.isTrue(existsSync(join(place.workspace, "a.txt")))
        assert.isTrue(existsSync(join(place.workspace, "c.txt")))
        screen.press("Tab")
        await screen.shows("└ Tab to decide")
        screen.type("take your time")
        await screen.shows(/noted\n[\s\S]*Allow delete_path\?[\s\S]*└ Tab to decide/)
        screen.press("Tab")
        await screen.shows(/noted\n[\s\S]*└ y allow/)
        screen.press("y")
        await screen.shows(/✓ Deleted a\.txt\n[\s\S]*gone at last/)
        await screen.shows(ready)
        assert.isFalse(existsSync(join(place.workspace, "a.txt")))
        assert.lengthOf(server.requests, 5)
        assert.include(JSON.stringify(server.requests[1].messages), "Waiting for a person's approval")
        assert.include(JSON.stringify(server.requests[4].messages), "[result of the deferred call delete_path]")
      },
      { config: quickly }
    ))

  it("Ctrl-C withdraws a pending approval", () =>
    talking(
      [remove("a.txt"), say("I wait"), say("and now")],
      async ({ place, screen }) => {
        screen.type("delete a.txt")
        await screen.shows(/I wait\n[\s\S]*Waiting for approval/)
        screen.press("C-c")
        await screen.shows(/└ withdrawn\n[\s\S]*\n›\n.* workspace.*$/)
        screen.type("and?")
        await screen.shows("and now")
        assert.isTrue(existsSync(join(place.workspace, "a.txt")))
      },
      { config: quickly }
    ))

  it("a paste decides nothing", () =>
    talking([remove("a.txt"), say("kept")], async ({ place, screen }) => {
      screen.type("delete a.txt")
      await screen.shows("details")
      screen.paste("y")
      await screen.pressUntil("n", "Reason (optional)")
      assert.isTrue(existsSync(join(place.workspace, "a.txt")))
    }))

  it("n denies, with a reason that the model reads", () =>
    talking([remove("a.txt"), say("I see")], async ({ place, screen, server }) => {
      screen.type("delete a.txt")
      await screen.shows("details")
      screen.press("n")
      await screen.shows("Reason (optional)")
      screen.type("it is the only copy")
      await screen.shows(/└ denied: it is the only copy[\s\S]*I see/)
      await screen.shows(ready)
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
      await screen.shows(/└ approved, always: delete_path path=a\.txt[\s\S]*gone\n/)
      await screen.shows(ready)
      put(place, "a.txt", "new\n")
      screen.type("once more")
      await screen.shows("gone again")
      await screen.shows(ready)
      assert.isFalse(existsSync(join(place.workspace, "a.txt")))
      assert.lengthOf(screen.text().match(/┌ Allow /g) ?? [], 1)
      assert.notInclude(screen.text(), "too late")
    }))

  it("? shows everything that the decision covers, and decides nothing", () =>
    talking([remove("a.txt"), say("gone")], async ({ place, screen }) => {
      screen.type("delete a.txt")
      await screen.shows("details")
      screen.press("?")
      const all = await screen.shows(/arguments digest: sha256:[\s\S]*└ y allow/)
      assert.match(all, /tool: delete_path, version \d+, tier Elevated/)
      assert.isTrue(existsSync(join(place.workspace, "a.txt")))
      screen.press("y")
      await screen.shows(/allowed once[\s\S]*gone/)
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
          /rows 1 to \d+ of 20\d: read all rows before you allow it\n└ Space more · n deny .* · \? details/
        )
        screen.press("y")
        await screen.pressUntil("?", /└ y allow · n deny with a reason · .*\? details/)
        assert.isFalse(existsSync(join(place.workspace, "AGENTS.md")))
        // A key that comes together with the last "?" is not an answer.
        await screen.pressUntil("y", "└ allowed once")
        await screen.shows("written")
        assert.lengthOf(readFileSync(join(place.workspace, "AGENTS.md"), "utf8").split("\n"), 201)
      }
    ))

  it("an approval that comes while text is being typed leaves the keys to it", () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const busy: Answer = { ...remove("a.txt"), text: "Hm", after: promise }
    return talking([busy, say("gone")], async ({ place, screen }) => {
      screen.type("delete a.txt")
      await screen.shows("Hm")
      screen.press("e", "a", "s")
      await screen.shows(/› eas$/m)
      resolve()
      await screen.shows("└ Tab to decide")
      screen.press("y")
      await screen.shows(/› easy$/m)
      assert.isTrue(existsSync(join(place.workspace, "a.txt")))
      screen.press("Tab")
      await screen.shows("└ y allow")
      screen.press("y")
      await screen.shows(/allowed once[\s\S]*gone[\s\S]*› easy$/m)
    })
  })

  it("Ctrl-C stops a turn and not the conversation; it clears the typed text; twice at the empty prompt it quits", () =>
    talking([{ hangAfter: "Let me think" }, say("Here I am")], async ({ screen }) => {
      screen.type("think")
      await screen.shows("Let me think")
      screen.press("C-c")
      await screen.shows(/stopped\n›\n/)
      screen.type("hello?")
      await screen.shows(/Here I am[\s\S]*out\n›\n/)
      screen.press("w", "o", "r", "d")
      await screen.shows(/› word$/m)
      screen.press("C-c")
      await screen.shows(ready)
      screen.press("C-c")
      await screen.shows("press Ctrl-C again to quit")
      screen.press("x")
      await screen.shows(/› x\n.* workspace.*$/)
      screen.press("C-c", "C-c", "C-c")
      assert.match(await screen.shows("EXIT"), /EXIT 0$/)
    }))

  it("Ctrl-C at an approval stops the turn, and the call is not run", () =>
    talking([remove("a.txt"), say("what now?")], async ({ place, screen }) => {
      screen.type("delete a.txt")
      await screen.shows("details")
      screen.press("C-c")
      await screen.shows(/└ withdrawn[\s\S]*stopped\n›\n/)
      assert.isTrue(existsSync(join(place.workspace, "a.txt")))
      screen.type("well?")
      await screen.shows("what now?")
    }))

  it("sends a line that is typed meanwhile into the running turn, and keeps an unfinished one", thoroughOnly, () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const busy: Answer = { text: "Looking", calls: [{ name: "list_files", arguments: {} }], after: promise }
    return talking([busy, say("so I did")], async ({ screen, server }) => {
      screen.type("look around")
      await screen.shows("Looking")
      screen.type("only at the readme")
      await screen.shows(/^ {2}with the next step: only at the readme$/m)
      screen.press("h", "a", "l", "f")
      await screen.shows(/› half$/m)
      resolve()
      const shown = await screen.shows(/so I did[\s\S]*out\n› half\n/)
      assert.match(shown, /^› only at the readme$/mu)
      assert.include(JSON.stringify(server.requests[1].messages.at(-1)), "only at the readme")
      assert.lengthOf(server.requests, 2)
    })
  })

  it("answers a line that is typed just as the turn ends", thoroughOnly, () => {
    const rounds = Array.from({ length: 12 }, (_, at) => ({ at, ...Promise.withResolvers<void>() }))
    const script = rounds.flatMap(({ at, promise }): ReadonlyArray<Answer> => [
      { text: `First ${at}`, calls: [], after: promise },
      say(`Second ${at}`)
    ])
    return talking(script, async ({ screen, server }) => {
      for (const { at, resolve } of rounds) {
        screen.type(`begin ${at}`)
        await screen.shows(`First ${at}`)
        resolve()
        await sleep(at)
        screen.type(`and ${at}?`)
        await screen.shows(new RegExp(`Second ${at}\\n[\\s\\S]*out\\n›\\n`))
        assert.include(JSON.stringify(server.requests.at(-1)?.messages.at(-1)), `and ${at}?`)
      }
    })
  })

  it.skipIf(bubblewrap.skip)(
    `holds a line that is typed during a command of the user until that ends${bubblewrap.suffix}`,
    () =>
      talking([say("All is well")], async ({ place, screen, server }) => {
        screen.press("-l", "!touch begun; until test -e go; do sleep 0.02; done")
        await screen.shows(/[›!] !?touch/)
        screen.press("Enter")
        // Until the command has begun, its approval depends on the file `go`, which it names.
        await until(() => existsSync(join(place.workspace, "begun")))
        screen.type("is all well?")
        await screen.shows("queued: is all well?")
        assert.lengthOf(server.requests, 0)
        put(place, "go", "")
        await screen.shows(/exit 0 · [\s\S]*› is all well\?\nAll is well/)
      })
  )

  it("Tab queues the typed message until the turn ends", () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return talking(
      [{ text: "Looking", calls: [], after: promise }, say("and that too")],
      async ({ screen, server }) => {
        screen.type("look around")
        await screen.shows("Looking")
        screen.press("t", "h", "e", "n", "Tab")
        await screen.shows("queued: then")
        resolve()
        await screen.shows(/› then\nand that too/)
        assert.lengthOf(server.requests, 2)
      }
    )
  })

  it("continues with a call that a script left pending, and shows the earlier messages", thoroughOnly, () =>
    withTestFolder((place) =>
      withModel([remove("a.txt"), say("waits"), say("gone now")], async ({ env }) => {
        put(place, "a.txt", "a\n")
        assert.strictEqual((await bough(place, ["run", "delete a.txt"], { env })).code, 3)
        await withScreen(place, { env, args: ["--continue"] }, async (screen) => {
          await screen.shows(
            /› delete a\.txt\n[\s\S]*resuming the unfinished turn[\s\S]*Allow delete_path\?[\s\S]*details/
          )
          screen.press("y")
          await screen.shows(/allowed once[\s\S]*gone now/)
        })
        assert.isFalse(existsSync(join(place.workspace, "a.txt")))
      })
    )
  )

  it("uses plain lines if the configuration or a dumb terminal asks for them", () =>
    withTestFolder((place) =>
      withModel([], async ({ env }) => {
        put(place, "../home/.config/bough/config.jsonc", '{ "terminal": { "plain": true } }')
        await withScreen(place, { env }, async (screen) => {
          assert.match(await screen.shows(/›$/), /quits\n›$/)
        })
        put(place, "../home/.config/bough/config.jsonc", "{}")
        await withScreen(place, { env: { ...env, TERM: "dumb" } }, async (screen) => {
          assert.match(await screen.shows(/›$/), /quits\n›$/)
        })
      })
    ))
})

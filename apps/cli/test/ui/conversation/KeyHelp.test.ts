/**
 * The keys of a conversation: the documents and `/keys` come from the table of actions, and a configured key is used
 * everywhere.
 */
import { keyActions } from "@bough/host/keys/KeyActions"
import * as Keymap from "@bough/host/keys/Keymap"
import * as KeyName from "@bough/host/keys/KeyName"
import * as Bindings from "@bough/tui/editor/Bindings"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { readFileSync, writeFileSync } from "node:fs"
import * as EditorKeys from "../../../src/ui/tui/EditorKeys.ts"
import { configure, withTestFolder } from "../../program/Bough.ts"
import * as Configured from "../../program/Configured.ts"
import { bough } from "../../program/InProcess.ts"
import { say } from "../../program/ModelServer.ts"

const document = new URL("../../../../../docs/keys.md", import.meta.url)
const talking = Configured.inProcess({ prompt: /›\n.* workspace.*$/ })

/** The rows of docs/keys.md, as its formatter lays them out. */
const table = (): string => {
  const cells = [
    ["action", "keys", "effect in the conversation"],
    ...keyActions.map(({ action, help, keys }) => [
      `\`${action}\``,
      keys.map((key) => (key.includes("<") ? `\`${KeyName.display(key)}\`` : KeyName.display(key))).join(", "),
      KeyName.capital(help)
    ])
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => (row[column] ?? "").length)))
  const line = (row: ReadonlyArray<string>, blank: string): string =>
    `|${row.map((cell, column) => `${blank}${cell.padEnd(widths[column] ?? 0, blank)}${blank}`).join("|")}|`
  const [head = [], ...rows] = cells
  const rule = `|${widths.map((width) => ` ${"-".repeat(width)} `).join("|")}|`
  return [line(head, " "), rule, ...rows.map((row) => line(row, " "))].join("\n")
}

describe("the keys", () => {
  it("are listed in docs/keys.md as in their table", () => {
    const written = readFileSync(document, "utf8")
    const found = /^\| action [^]*?(?=\n\n)/mu.exec(written)?.[0] ?? ""
    assert.notStrictEqual(found, "")
    if (process.env["BOUGH_RENEW_GOLDEN"] === "1")
      writeFileSync(
        document,
        written.replace(found, () => table())
      )
    else assert.strictEqual(found, table())
  })

  it("are by default those of the toolkit's editor", () => {
    assert.deepStrictEqual(
      Object.fromEntries(EditorKeys.bindingsOf(Keymap.defaults)),
      Object.fromEntries(Bindings.bindings)
    )
  })

  it("perform the configured actions, and /keys and the hints name them", () =>
    talking([say("Ready")], async ({ converse, place, server }) => {
      const keys = { "open transcript": "ctrl-x", send: ["alt-s"], "new line": "enter", "search history": [] }
      configure(place, JSON.stringify({ model: "openai-compatible/scripted", keys }))
      assert.isTrue(Result.isSuccess(Keymap.make(keys)))
      await converse(async (screen) => {
        screen.press("one")
        screen.press("Enter")
        screen.press("two")
        screen.press("\u001Bs")
        await screen.shows(/Ready\n.* out\n›/)
        screen.press("\u000F")
        screen.press("\u0018")
        await screen.shows(/Enter open or close/)
        screen.press("\u0018")
        await screen.shows(/Ready\n.* out\n›/)
        screen.press("/keys")
        screen.press("\u001Bs")
        const listed = await screen.shows(/Ctrl-X +open the whole transcript/)
        assert.match(listed, /Alt-S +send/)
        assert.notMatch(listed, /search the earlier messages/)
      })
      assert.include(server.bodies[0], String.raw`one\ntwo`)
    }))

  it("are vim's if the configuration says so, with the mode in the status line", () =>
    talking([say("Ready")], async ({ converse, place, server }) => {
      configure(place, '{ "model": "openai-compatible/scripted", "editor": "vim" }')
      await converse(async (screen) => {
        await screen.shows(/›\nINSERT · openai-compatible/)
        screen.press("one twoo")
        screen.press("Escape")
        await screen.shows(/› one twoo\nNORMAL · /)
        screen.press("x2b")
        screen.press("cwnew")
        screen.press("Enter")
        await screen.shows(/› new two\n[\s\S]*Ready\n.* out\n›\nINSERT · /)
        screen.press("Escape")
        await screen.shows("NORMAL")
        screen.press("Escape")
        await screen.shows("press Esc again to rewind")
      })
      assert.include(server.bodies[0], "new two")
    }))

  it("are refused if two actions have the same one, with the line of the configuration", () =>
    withTestFolder(async (place) => {
      configure(place, '{\n  "model": "offline/planner",\n  "keys": { "undo": "ctrl-o" }\n}')
      const { code, stderr } = await bough(place, ["run", "list the files"])
      assert.strictEqual(code, 2)
      assert.include(stderr, 'config.jsonc:3: keys.undo: "ctrl-o" is the key of "open transcript" too')
    }))
})

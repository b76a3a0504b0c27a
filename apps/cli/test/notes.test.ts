/** Histories, projects and end dates of notes, from the built program. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { type TestFolder, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"

const idOf = ({ stdout }: { readonly stdout: string }): string => stdout.trim()

/** An editor that runs this on the file. */
const editor = (place: TestFolder, command: string) => {
  const script = join(place.root, "editor.sh")
  writeFileSync(script, `#!/bin/sh\n${command} "$1"\n`, { mode: 0o755 })
  return { env: { VISUAL: script } }
}

const filesWith = (folder: string, word: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(word))

describe("notes of bough memory", () => {
  it("names similar notes, supersedes a note, and forgets one with its history, down to the bytes", thoroughOnly, () =>
    withTestFolder(async (place) => {
      const first = idOf(await bough(place, ["memory", "save", "The stand-up is at 9:30 in the zebrawood room"]))
      const second = await bough(place, ["memory", "save", "The stand-up has moved to 10:15"])
      assert.include(second.stderr, `similar note: ${first} "The stand-up is at 9:30 in the zebrawood room"`)
      await bough(place, ["memory", "rm", idOf(second)])
      const third = await bough(place, ["memory", "save", "The stand-up has moved to 10:30", "--supersedes", first])
      assert.strictEqual(third.stderr, "")
      const id = idOf(third)
      assert.match((await bough(place, ["memory", "list"])).stdout, new RegExp(`^${id} .*\n$`))
      const shown = await bough(place, ["memory", "show", id, "--history"])
      assert.include(shown.stdout, `superseded by command line, as ${first}\n  The stand-up is at 9:30`)
      assert.include((await bough(place, ["memory", "show", first, "--history"])).stdout, `it was superseded by ${id}`)
      assert.match((await bough(place, ["memory", "show", first])).stderr, new RegExp(`: it was superseded by ${id}`))
      const json = JSON.parse((await bough(place, ["memory", "show", id, "--history", "--format", "json"])).stdout)
      assert.deepInclude(json.history[0], { reason: "superseded", endedBy: "command line", noteId: id })
      assert.notInclude((await bough(place, ["memory", "search", "zebrawood room"])).stdout, "zebrawood")
      assert.isNotEmpty(filesWith(place.data, "zebrawood"))
      await bough(place, ["memory", "rm", id])
      assert.deepStrictEqual(filesWith(place.data, "zebrawood"), [])
      assert.strictEqual((await bough(place, ["memory", "list"])).stdout, "")
    })
  )

  it("opens a note in the editor, keeps its old text, and keeps an invalid draft", () =>
    withTestFolder(async (place) => {
      const id = idOf(await bough(place, ["memory", "save", "Likes tea", "--tag", "drinks"]))
      const edit = (command: string) => bough(place, ["memory", "edit", id.slice(0, 12)], editor(place, command))
      assert.deepInclude(await edit("true"), { code: 0, stderr: `note ${id} is unchanged\n` })
      assert.deepInclude(await edit("sed -i 's/tea/coffee/;s/^kind: fact/kind: preference/'"), {
        code: 0,
        stderr: `note ${id} is changed\n`
      })
      const broken = await edit("sed -i 's/^tags: .*/tags: drinks, hot/;s/coffee/cocoa/'")
      assert.strictEqual(broken.code, 2)
      assert.match(broken.stderr, /is invalid: line 4: its tags are not written .* resumes from .*note-/)
      const list = async () => (await bough(place, ["memory", "list"])).stdout
      assert.include(await list(), "preference  #drinks  Likes coffee")
      const repaired = await edit("sed -i 's/^tags: .*/tags: [\"hot\"]/'")
      assert.include(repaired.stderr, "resuming the unsaved draft")
      assert.include(await list(), "preference  #hot  Likes cocoa")
      const json = JSON.parse((await bough(place, ["memory", "show", id, "--history", "--format", "json"])).stdout)
      assert.deepStrictEqual(
        json.history.map(({ note }: { readonly note: { readonly text: string } }) => note.text),
        ["Likes coffee", "Likes tea"]
      )
      assert.deepStrictEqual(readdirSync(join(place.data, "memory", "drafts")), [])
      assert.strictEqual(
        (await bough(place, ["memory", "rm", id, "--history"])).stderr,
        `the history of note ${id} is deleted\n`
      )
      assert.include((await bough(place, ["memory", "show", id, "--history"])).stdout, "no earlier versions")
    }))

  it("keeps notes of a project in it, and names the project of a note", () =>
    withTestFolder(async (place) => {
      const other = join(place.workspace, "other")
      mkdirSync(join(other, ".git"), { recursive: true })
      mkdirSync(join(place.workspace, ".git"), { recursive: true })
      mkdirSync(join(place.workspace, "deep", "down"), { recursive: true })
      const here = idOf(await bough(place, ["memory", "save", "Tests run with make", "--project"]))
      const there = idOf(await bough(place, ["memory", "save", "Tests run with ninja", "--project", "--cwd", other]))
      const own = idOf(await bough(place, ["memory", "save", "Prefers tests in watch mode"]))
      const ids = async (...args: ReadonlyArray<string>) =>
        JSON.parse((await bough(place, ["memory", ...args, "--format", "json"])).stdout)
          .map(({ noteId }: { readonly noteId: string }) => noteId)
          .toSorted()
      assert.deepStrictEqual(await ids("list"), [here, own].toSorted())
      assert.deepStrictEqual(await ids("list", "--cwd", join(place.workspace, "deep", "down")), [here, own].toSorted())
      assert.deepStrictEqual(await ids("list", "--project", "--cwd", other), [there])
      assert.deepStrictEqual(await ids("list", "--all"), [here, own, there].toSorted())
      assert.deepStrictEqual(await ids("search", "how do tests run"), [here, own].toSorted())
      assert.match((await bough(place, ["memory", "show", there])).stdout, /\nproject: ".*\/other"\n/)
      const alone = await bough(place, ["memory"])
      assert.match(
        alone.stdout,
        /COMMANDS[\s\S]*\n3 notes \(1 of this project, 1 of other projects\); "bough memory list"/
      )
      assert.notInclude(alone.stdout, "watch mode")
    }))

  it("exports and imports histories, projects and end dates unchanged", () =>
    withTestFolder(async (place) => {
      const first = idOf(await bough(place, ["memory", "save", "Parks in garage seven", "--project"]))
      const until = ["--until", "2999-12-31"]
      const saved = await bough(place, ["memory", "save", "Parks in garage nine", ...until, "--supersedes", first])
      assert.include((await bough(place, ["memory", "list"])).stdout, "until 2999-12-31")
      const past = idOf(await bough(place, ["memory", "save", "Parked on the street", "--until", "1999-12-31"]))
      assert.include((await bough(place, ["memory", "list"])).stdout, "ended 1999-12-31  Parked on the street")
      await bough(place, ["memory", "rm", past])
      const wrong = await bough(place, ["memory", "save", "x", "--until", "soon"])
      assert.deepStrictEqual([wrong.code, wrong.stderr.includes("--until cannot be")], [2, true])
      const folder = join(place.workspace, "notes")
      const all = async (where: TestFolder) => [
        (await bough(where, ["memory", "list", "--all", "--format", "json"])).stdout,
        (await bough(where, ["memory", "show", idOf(saved), "--history", "--format", "json"])).stdout
      ]
      await bough(place, ["memory", "export", folder])
      const before = await all(place)
      await bough(place, ["memory", "rm", idOf(saved)])
      for (const [counts, round] of [
        ["1 note added, 0 changed, 0 unchanged\n", 1],
        ["0 notes added, 0 changed, 1 unchanged\n", 2]
      ] as const) {
        assert.strictEqual((await bough(place, ["memory", "import", folder])).stderr, counts, `${round}`)
        assert.deepStrictEqual(await all(place), before)
      }
      assert.isTrue(existsSync(join(folder, `${idOf(saved)}.md`)))
    }))
})

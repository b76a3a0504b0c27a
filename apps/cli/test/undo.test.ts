/** Changes of tools and commands are undone and redone from the command line and in a conversation. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as UndoReport from "../src/session/UndoReport.ts"
import { binary, configure, type TestFolder, put, withTestFolder } from "./program/Bough.ts"
import { bough } from "./program/InProcess.ts"
import { type Answer, remove, say, withModel } from "./program/ModelServer.ts"

const bubblewrap = requires("bubblewrap")

const call = (name: string, callArguments: unknown): Answer => ({
  text: "",
  calls: [{ name, arguments: callArguments }]
})
const write = (path: string, content: string): Answer => call("write_file", { path, content })

/** A place where changes are recorded, which other tests turn off. */
const recording = <A>(use: (place: TestFolder) => Promise<A>): Promise<A> =>
  withTestFolder((place) => use({ ...place, env: { ...place.env, BOUGH_UNDO: "" } }))

const textOf = (place: TestFolder, path: string): string | null => {
  const file = join(place.workspace, path)
  return existsSync(file) ? readFileSync(file, "utf8") : null
}

describe("the report of an undo", () => {
  it("states that no file differed if the turn was cut off before it changed one", () => {
    const nothing = { turn: 6, written: [], removed: [], lost: [] }
    assert.strictEqual(
      UndoReport.outcome(nothing),
      "no file differs from its state before turn 6; /undo again goes back to an earlier turn"
    )
    for (const some of [{ written: ["a"] }, { removed: ["a"] }, { lost: [{ path: "a", reason: "it is too large" }] }]) {
      assert.strictEqual(
        UndoReport.outcome({ ...nothing, ...some }),
        "restored files to their state before turn 6; /redo reverts this"
      )
    }
  })
})

describe("bough undo", () => {
  it("passes over a newer session that wrote no difference, and names no command as its own next step", () =>
    recording((place) =>
      withModel([write("a.txt", "one\n"), say("done"), write("a.txt", "one\n"), say("the same")], async ({ env }) => {
        put(place, "a.txt", "old\n")
        await bough(place, ["run", "write one"], { env })
        const same = await bough(place, ["run", "--format", "json", "write one again"], { env })
        assert.include((await bough(place, ["diff"])).stdout, "-old\n+one\n")
        const { sessionId } = JSON.parse(same.stdout) as { readonly sessionId: string }
        const none = await bough(place, ["diff", "--session", sessionId])
        assert.strictEqual(none.code, 2)
        assert.match(none.stderr, /the session has changed no files — "bough sessions" lists/)
        assert.strictEqual((await bough(place, ["undo"])).code, 0)
        assert.strictEqual(textOf(place, "a.txt"), "old\n")
      })
    ))

  it("restores the files that a turn overwrote and deleted, and redo returns", () =>
    recording((place) =>
      withModel(
        [write("a.txt", "new\n"), remove("b.txt"), write("c/d.txt", "made\n"), say("done")],
        async ({ env }) => {
          put(place, "a.txt", "old\n")
          put(place, "b.txt", "precious\n")
          const ran = await bough(place, ["run", "change things"], { env })
          // No approval was requested: deleted files can be restored.
          assert.deepStrictEqual(
            [ran.code, textOf(place, "a.txt"), textOf(place, "b.txt")],
            [0, "new\n", null],
            ran.stderr
          )

          const shown = await bough(place, ["diff"])
          assert.include(shown.stdout, "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-old\n+new\n")
          assert.include(shown.stdout, "--- b.txt\n+++ /dev/null\n")

          const undone = await bough(place, ["undo"])
          assert.deepStrictEqual(
            [undone.code, undone.stdout],
            [0, "restored  a.txt\nrestored  b.txt\nremoved   c\nremoved   c/d.txt\n"],
            undone.stderr
          )
          assert.include(undone.stderr, "before turn 1")
          assert.deepStrictEqual([textOf(place, "a.txt"), textOf(place, "b.txt")], ["old\n", "precious\n"])
          assert.deepStrictEqual(readdirSync(place.workspace).toSorted(), ["a.txt", "b.txt"])

          assert.strictEqual((await bough(place, ["undo"])).code, 2)
          const redone = await bough(place, ["redo"])
          assert.strictEqual(redone.code, 0, redone.stderr)
          assert.deepStrictEqual(
            [textOf(place, "a.txt"), textOf(place, "b.txt"), textOf(place, "c/d.txt")],
            ["new\n", null, "made\n"]
          )
          assert.strictEqual((await bough(place, ["redo"])).code, 2)
        }
      )
    ))

  it("is reported to the model with its next step, and so is a redo", () =>
    recording((place) =>
      withModel([write("a.txt", "new\n"), say("done"), say("I see"), say("And now")], async ({ env, requests }) => {
        put(place, "a.txt", "old\n")
        await bough(place, ["run", "change it"], { env })
        await bough(place, ["undo"])
        await bough(place, ["run", "--continue", "and now?"], { env })
        const undone = JSON.stringify(requests.at(-1)?.messages)
        assert.match(undone, /<context source=.{0,3}undo.{0,3}>\\nThe user has undone file changes of this session/u)
        assert.include(undone, "Restored: a.txt")
        await bough(place, ["redo"])
        await bough(place, ["run", "--continue", "again"], { env })
        const redone = JSON.stringify(requests.at(-1)?.messages)
        assert.include(redone, "The user has taken an undo back")
        assert.isBelow(redone.indexOf("has undone"), redone.indexOf("taken an undo back"))
      })
    ))

  it("restores the state before any turn, and leaves changes of others alone", () =>
    recording((place) =>
      withModel(
        [write("a.txt", "1\n"), say("one"), write("a.txt", "2\n"), say("two"), write("b.txt", "3\n"), say("three")],
        async ({ env }) => {
          await bough(place, ["run", "first"], { env })
          await bough(place, ["run", "--continue", "second"], { env })
          put(place, "mine.txt", "mine\n")
          await bough(place, ["run", "--continue", "third"], { env })
          const undone = await bough(place, ["undo", "2"])
          assert.strictEqual(undone.stdout, "restored  a.txt\nremoved   b.txt\n", undone.stderr)
          assert.deepStrictEqual([textOf(place, "a.txt"), textOf(place, "mine.txt")], ["1\n", "mine\n"])
        }
      )
    ))

  it("refuses to overwrite a change of others unless it is forced, and redo returns to that change", () =>
    recording((place) =>
      withModel([write("a.txt", "agent\n"), say("done")], async ({ env }) => {
        put(place, "a.txt", "old\n")
        await bough(place, ["run", "go"], { env })
        put(place, "a.txt", "mine\n")
        const refused = await bough(place, ["undo"])
        assert.deepStrictEqual([refused.code, textOf(place, "a.txt")], [1, "mine\n"])
        assert.match(
          refused.stderr,
          /^bough: changed since by another program or person: a\.txt; nothing was restored — .*--force/m
        )
        assert.strictEqual((await bough(place, ["undo", "--force"])).code, 0)
        assert.strictEqual(textOf(place, "a.txt"), "old\n")
        assert.strictEqual((await bough(place, ["redo"])).code, 0)
        assert.strictEqual(textOf(place, "a.txt"), "mine\n")
      })
    ))

  it("asks about a file that no snapshot holds, and about every change if no snapshot can be made", () =>
    recording((place) =>
      withModel([remove("large.bin"), say("asked"), write("a.txt", "x\n"), say("asked too")], async ({ env }) => {
        configure(place, '{ "undo": { "maxFileMebibytes": 1 } }')
        put(place, "large.bin", "x".repeat(1024 ** 2 + 1))
        const run = await bough(place, ["run", "--format", "json", "delete it"], { env })
        assert.deepStrictEqual([run.code, existsSync(join(place.workspace, "large.bin"))], [3, true])
        assert.include((await bough(place, ["approvals"])).stdout, "large.bin")
        // A file in place of the store's directory.
        mkdirSync(join(place.data, ".."), { recursive: true })
        const second = { ...place, env: { ...place.env, BOUGH_HOME: join(place.root, "elsewhere") } }
        mkdirSync(join(place.root, "elsewhere"))
        writeFileSync(join(place.root, "elsewhere/snapshots"), "in the way")
        const unrecorded = await bough(second, ["run", "--format", "json", "write it"], { env })
        assert.deepStrictEqual([unrecorded.code, textOf(place, "a.txt")], [3, null], unrecorded.stderr)
        assert.include((await bough(second, ["approvals"])).stdout, "write_file")
      })
    ))

  it("restores changes elsewhere in the repository and in a directory that was added", () =>
    recording((place) =>
      withModel(
        [write("../up.txt", "new\n"), write(join(place.root, "added/b.txt"), "new\n"), say("done")],
        async ({ env }) => {
          mkdirSync(join(place.workspace, ".git"))
          put(place, "up.txt", "old\n")
          mkdirSync(join(place.workspace, "sub"))
          put(place, "../added/b.txt", "old\n")
          const cwd = join(place.workspace, "sub")
          const ran = await bough(place, ["run", "--add-dir", "../../added", "go"], { env, cwd })
          assert.deepStrictEqual(
            [ran.code, textOf(place, "up.txt"), textOf(place, "../added/b.txt")],
            [0, "new\n", "new\n"],
            ran.stderr
          )
          const undone = await bough(place, ["undo"], { cwd })
          assert.strictEqual(
            undone.stdout,
            `restored  up.txt\nrestored  ${join(place.root, "added/b.txt")}\n`,
            undone.stderr
          )
          assert.deepStrictEqual([textOf(place, "up.txt"), textOf(place, "../added/b.txt")], ["old\n", "old\n"])
        }
      )
    ))

  describe("of a fork", () => {
    /** A session with two calls in one turn and one in the next, and the entry after the first call. */
    const changed = async (place: TestFolder, env: Readonly<Record<string, string>>) => {
      const ran = await bough(place, ["run", "--format", "json", "first"], { env })
      await bough(place, ["run", "--continue", "second"], { env })
      const id = /ses_\w+/u.exec(ran.stdout)?.[0] ?? ""
      const exported = (await bough(place, ["sessions", "export", id])).stdout.trim().split("\n")
      const ended = exported.find((line) => line.includes('"_tag":"CallEnded"')) ?? ""
      return { id, at: Number(/"seq":(\d+)/u.exec(ended)?.[1]) }
    }
    const answers = [
      write("a.txt", "1\n"),
      write("a.txt", "2\n"),
      say("one"),
      write("b.txt", "3\n"),
      say("two"),
      write("c.txt", "of the fork\n"),
      say("three")
    ]

    it("goes back to the entry, inside a turn too, and the fork redoes it and undoes its own calls", () =>
      recording((place) =>
        withModel(answers, async ({ env, requests }) => {
          const { at, id } = await changed(place, env)
          put(place, "mine.txt", "mine\n")
          const plain = await bough(place, ["sessions", "fork", id, "--at", `${at}`])
          assert.deepStrictEqual([plain.code, textOf(place, "a.txt")], [0, "2\n"])
          const forked = await bough(place, ["sessions", "fork", id, "--at", `${at}`, "--files"])
          assert.strictEqual(forked.code, 0, forked.stderr)
          const fork = forked.stdout.trim()
          const state = () => ["a.txt", "b.txt", "c.txt", "mine.txt"].map((name) => textOf(place, name))
          assert.deepStrictEqual(state(), ["1\n", null, null, "mine\n"])
          assert.match(forked.stderr, /restored {2}a\.txt[^]*removed {3}b\.txt[^]*redo --session ses_/u)

          await bough(place, ["run", "--session", fork, "third"], { env })
          assert.deepStrictEqual(state(), ["1\n", null, "of the fork\n", "mine\n"])
          assert.strictEqual((await bough(place, ["undo", "--session", fork])).stdout, "removed   c.txt\n")
          assert.strictEqual((await bough(place, ["redo", "--session", fork])).code, 0)
          assert.strictEqual((await bough(place, ["redo", "--session", fork])).code, 0)
          assert.deepStrictEqual(state(), ["2\n", "3\n", "of the fork\n", "mine\n"])
          // The original still owns its changes.
          assert.strictEqual((await bough(place, ["undo", "--session", id])).stdout, "removed   b.txt\n")
          assert.notInclude(JSON.stringify(requests.at(-1)?.messages), "has undone")
        })
      ))

    it("works in a conversation, too, and redo there", thoroughOnly, () =>
      recording((place) =>
        withModel(answers, async ({ env }) => {
          const { at, id } = await changed(place, env)
          const forked = await bough(place, ["--session", id], { env, stdin: `/fork ${at} --files\n` })
          assert.deepStrictEqual([forked.code, textOf(place, "a.txt"), textOf(place, "b.txt")], [0, "1\n", null])
          assert.match(forked.stderr, /removed {3}b\.txt\n[^]*to entry \d+: \/redo reverts this\nforked ses_/u)
          assert.strictEqual((await bough(place, ["--continue"], { env, stdin: "/redo\n" })).code, 0)
          assert.deepStrictEqual([textOf(place, "a.txt"), textOf(place, "b.txt")], ["2\n", "3\n"])
        })
      )
    )

    it("is refused, without a fork, if it would overwrite changes of others, or an agent asks", () =>
      recording((place) =>
        withModel(answers, async ({ env }) => {
          const { at, id } = await changed(place, env)
          put(place, "a.txt", "mine\n")
          const count = async () => (await bough(place, ["sessions"])).stdout.split("\n").length
          const before = await count()
          const args = ["sessions", "fork", id, "--at", `${at}`, "--files"]
          const refused = await bough(place, args)
          assert.deepStrictEqual([refused.code, refused.stdout, textOf(place, "a.txt")], [1, "", "mine\n"])
          assert.include(refused.stderr, "changed since by another program or person: a.txt")
          assert.strictEqual((await bough(place, args, { env: { BOUGH_COMMAND: "1" } })).code, 3)
          assert.strictEqual((await bough(place, ["sessions", "fork", id, "--force"])).code, 2)
          assert.deepStrictEqual([await count(), textOf(place, "b.txt")], [before, "3\n"])

          const forced = await bough(place, [...args, "--force"])
          assert.deepStrictEqual([forced.code, textOf(place, "a.txt"), textOf(place, "b.txt")], [0, "1\n", null])
          assert.strictEqual((await bough(place, ["redo", "--session", forced.stdout.trim()])).code, 0)
          assert.strictEqual(textOf(place, "a.txt"), "mine\n")
        })
      ))

    it("reaches a directory that was added for the original alone", () =>
      recording((place) =>
        withModel([write(join(place.root, "added/b.txt"), "new\n"), say("done")], async ({ env }) => {
          put(place, "../added/b.txt", "old\n")
          const ran = await bough(place, ["run", "--format", "json", "--add-dir", "../added", "go"], { env })
          const id = /ses_\w+/u.exec(ran.stdout)?.[0] ?? ""
          const forked = await bough(place, ["sessions", "fork", id, "--at", "1", "--files"])
          assert.deepStrictEqual([forked.code, textOf(place, "../added/b.txt")], [0, "old\n"], forked.stderr)
          const redone = await bough(place, ["redo", "--session", forked.stdout.trim()])
          assert.deepStrictEqual([redone.code, textOf(place, "../added/b.txt")], [0, "new\n"], redone.stderr)
        })
      ))

    it("leaves copied entries to the original, and changes nothing for the newest entry", () =>
      recording((place) =>
        withModel(answers, async ({ env }) => {
          const { at, id } = await changed(place, env)
          const newest = await bough(place, ["sessions", "fork", id, "--files"])
          assert.include(newest.stderr, "no file had to be restored")
          const copy = await bough(place, ["sessions", "fork", newest.stdout.trim(), "--at", `${at - 1}`, "--files"])
          assert.deepStrictEqual([copy.code, textOf(place, "b.txt")], [2, "3\n"], copy.stderr)
          assert.include(copy.stderr, `fork session ${id} instead`)
        })
      ))
  })

  it("shows the state that the rules are tested with", () =>
    recording(async (place) => {
      put(place, "a.txt", "old\n")
      const test = (env: Readonly<Record<string, string>>) =>
        bough(place, ["policy", "test", "delete_path", '{"path":"a.txt"}'], { env })
      assert.deepStrictEqual([(await test({})).code, (await test({ BOUGH_UNDO: "off" })).code], [0, 3])
    }))

  it("shows no known secret in a difference", () =>
    recording((place) =>
      withModel([write(".env.example", "KEY=none\n"), say("done")], async ({ env }) => {
        configure(place, '{ "secrets": ["hunter2hunter2"] }')
        put(place, ".env.example", "KEY=hunter2hunter2\n")
        await bough(place, ["run", "go"], { env })
        const shown = await bough(place, ["diff"])
        assert.include(shown.stdout, "+KEY=none")
        assert.notInclude(shown.stdout, "hunter2")
      })
    ))

  it("keeps its store private, and unreachable for an agent", () =>
    recording((place) =>
      withModel([write("a.txt", "x\n"), say("done")], async ({ env }) => {
        await bough(place, ["run", "go"], { env })
        const folder = join(place.data, "snapshots")
        const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
        assert.strictEqual(mode(folder), "700")
        const files = readdirSync(folder).filter((name) => name.endsWith(".db"))
        assert.deepStrictEqual(
          files.map((name) => mode(join(folder, name))),
          ["600"]
        )
        const marked = await bough(place, ["undo"], { env: { BOUGH_COMMAND: "1" } })
        assert.deepStrictEqual([marked.code, textOf(place, "a.txt")], [3, "x\n"], marked.stderr)
      })
    ))

  it("undoes in a conversation, too", () =>
    recording((place) =>
      withModel([write("a.txt", "new\n"), say("done")], async ({ env }) => {
        put(place, "a.txt", "old\n")
        const undone = await bough(place, [], { env, stdin: "go\n/undo\n" })
        assert.deepStrictEqual([undone.code, textOf(place, "a.txt")], [0, "old\n"], undone.stderr)
        assert.match(undone.stderr, /restored {2}a\.txt\n[\s\S]*before turn 1/)
        const redone = await bough(place, ["--continue"], { env, stdin: "/redo\n" })
        assert.deepStrictEqual([redone.code, textOf(place, "a.txt")], [0, "new\n"], redone.stderr)
      })
    ))
})

describe.skipIf(bubblewrap.skip)(`bough undo, after commands${bubblewrap.suffix}`, () => {
  it("restores files that a command removed, with modes and links", () =>
    recording((place) =>
      withModel(
        [call("run_command", { command: "rm -rf keep.txt bin && ln -s x y" }), say("done")],
        async ({ env }) => {
          put(place, "keep.txt", "untracked\n")
          put(place, "bin/run", "#!/bin/sh\n")
          writeFileSync(join(place.workspace, "bin/run"), "#!/bin/sh\n", { mode: 0o755 })
          const ran = await bough(place, ["run", "clean up"], { env })
          assert.deepStrictEqual([ran.code, textOf(place, "keep.txt")], [0, null], ran.stderr)
          const undone = await bough(place, ["undo"])
          assert.strictEqual(undone.code, 0, undone.stderr)
          assert.strictEqual(textOf(place, "keep.txt"), "untracked\n")
          assert.strictEqual(textOf(place, "bin/run"), "#!/bin/sh\n")
          assert.isFalse(existsSync(join(place.workspace, "y")))
        }
      )
    ))

  it("is invisible to a command", () =>
    recording((place) =>
      withModel(
        [
          write("a.txt", "x\n"),
          call("run_command", { command: `ls ${join(place.data, "snapshots")}; cat ${binary} > /dev/null` }),
          say("done")
        ],
        async ({ env, requests }) => {
          await bough(place, ["run", "look"], { env })
          assert.include(JSON.stringify(requests.at(-1)?.messages.at(-1)), "No such file")
        }
      )
    ))
})

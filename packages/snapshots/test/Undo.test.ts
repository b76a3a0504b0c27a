import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { WorkspaceSnapshots } from "../src/index.ts"
import * as Collect from "../src/internal/Collect.ts"
import * as Database from "../src/internal/Database.ts"
import * as Engine from "../src/internal/Engine.ts"
import * as ObjectStore from "../src/internal/ObjectStore.ts"
import { fingerprint, put, session, storedIn, workspace } from "./Scratch.ts"

const text = (file: string): string => fs.readFileSync(file, "utf8")
const isRoot = process.getuid?.() === 0

describe("Undo", () => {
  it.live("leaves changes of others elsewhere, and their files in a directory that the session made", () =>
    Effect.gen(function* () {
      const { at, root, snapshots } = yield* workspace({ "a.txt": "old", "b.txt": "b" })
      const { call, undo } = session(snapshots)
      yield* call(1, () => put(root, { "a.txt": "new", "made/c.txt": "c" }))
      put(root, { "b.txt": "mine", "made/mine.txt": "mine" })
      yield* call(2, () => put(root, { "a.txt": "newer" }))
      const { removed, written } = yield* undo(1)
      assert.deepStrictEqual([written, removed], [["a.txt"], ["made", "made/c.txt"]])
      assert.deepStrictEqual(
        [text(at("a.txt")), text(at("b.txt")), fs.readdirSync(at("made"))],
        ["old", "mine", ["mine.txt"]]
      )
    })
  )

  it.live(
    "refuses to overwrite later changes of others in the same place unless it is forced, and redo returns to them",
    () =>
      Effect.gen(function* () {
        const { at, root, snapshots } = yield* workspace({ "a.txt": "old", "b.txt": "old" })
        const { call, redo, undo } = session(snapshots)
        yield* call(1, () => put(root, { "a.txt": "agent", "b.txt": "agent" }))
        put(root, { "a.txt": "mine" })
        const before = fingerprint(root)
        const refused = yield* Effect.flip(undo())
        assert.deepStrictEqual([refused._tag, "paths" in refused ? refused.paths : []], ["FilesChanged", ["a.txt"]])
        assert.deepStrictEqual(fingerprint(root), before)
        yield* undo(null, true)
        assert.deepStrictEqual([text(at("a.txt")), text(at("b.txt"))], ["old", "old"])
        yield* redo()
        assert.deepStrictEqual([text(at("a.txt")), text(at("b.txt"))], ["mine", "agent"])
      })
  )

  it.live("stores no files that became secret, and leaves them in place", () =>
    Effect.gen(function* () {
      const secrets: Array<string> = []
      const { at, root, snapshots, store } = yield* workspace({ "a.txt": "old" }, { secretPaths: () => secrets })
      const { call, undo } = session(snapshots)
      yield* call(1, () => {
        secrets.push(at("config/token.txt"))
        put(root, { "a.txt": "new", "config/token.txt": "canary-4e1a", "config/b.txt": "beside-4e1a" })
      })
      yield* call(2, () => put(root, { "config/token.txt": "canary-4e1a again" }))
      const stored = storedIn(store)
      assert.include(stored, "beside-4e1a")
      assert.notInclude(stored, "canary-4e1a")
      yield* undo(1)
      assert.deepStrictEqual([text(at("a.txt")), text(at("config/token.txt"))], ["old", "canary-4e1a again"])
    })
  )

  it.live("refuses if others changed a file between two of the session's changes to it", () =>
    Effect.gen(function* () {
      const { root, snapshots } = yield* workspace({ "a.txt": "old" })
      const { call, undo } = session(snapshots)
      yield* call(1, () => put(root, { "a.txt": "agent" }))
      put(root, { "a.txt": "mine" })
      yield* call(2, () => put(root, { "a.txt": "agent again" }))
      assert.strictEqual((yield* Effect.flip(undo(1)))._tag, "FilesChanged")
      yield* undo(2)
      assert.strictEqual(text(path.join(root, "a.txt")), "mine")
    })
  )

  it.live("treats all later changes as those of a call that was cut off", () =>
    Effect.gen(function* () {
      const { at, root, snapshots } = yield* workspace({ "a.txt": "old" })
      const before = yield* snapshots.before
      put(root, { "a.txt": "half" })
      const calls = [{ turn: 1, commit: 1, before, after: null }]
      yield* snapshots.undo({ session: "s", calls, turn: null, isForced: false })
      assert.strictEqual(text(at("a.txt")), "old")
    })
  )

  it.live("changes no repository below the workspace, and treats the files of one as files", () =>
    Effect.gen(function* () {
      const { at, root, snapshots } = yield* workspace({ "sub/code.ts": "one" })
      const git = (...args: ReadonlyArray<string>) =>
        execFileSync("git", ["-C", at("sub"), "-c", "user.email=a@b", "-c", "user.name=a", ...args], {
          encoding: "utf8"
        })
      git("init", "-q")
      git("add", ".")
      git("commit", "-qm", "one")
      const { call, undo } = session(snapshots)
      yield* call(1, () => {
        put(root, { "sub/code.ts": "two", "sub/new.ts": "new" })
        git("commit", "-qam", "two")
        execFileSync("git", ["init", "-q", at("made")])
        put(root, { "made/a.ts": "a" })
      })
      yield* undo()
      assert.deepStrictEqual([text(at("sub/code.ts")), fs.existsSync(at("sub/new.ts"))], ["one", false])
      // The commit is the repository's, and so is a new one.
      assert.include(git("log", "--format=%s"), "two\none")
      assert.deepStrictEqual(fs.readdirSync(at("made")), [".git"])
    })
  )

  it.live("runs no program that the workspace configures, and restores files that its attributes would rewrite", () =>
    Effect.gen(function* () {
      const { at, base, root, snapshots } = yield* workspace({
        ".gitattributes": "* text eol=crlf filter=evil diff=evil\n",
        "a.txt": "one\ntwo\r\nthree\n"
      })
      execFileSync("git", ["init", "-q", root])
      const canary = path.join(base, "canary")
      fs.appendFileSync(
        at(".git/config"),
        `[core]\n\tfsmonitor = "touch ${canary}; false"\n\thooksPath = ${root}\n[filter "evil"]\n\tclean = touch ${canary}; cat\n\tsmudge = touch ${canary}; cat\n`
      )
      const { call, undo } = session(snapshots)
      yield* call(1, () => fs.rmSync(at("a.txt")))
      yield* undo()
      assert.strictEqual(text(at("a.txt")), "one\ntwo\r\nthree\n")
      assert.isFalse(fs.existsSync(canary))
    })
  )

  it.live("leaves files that no snapshot contains, and says so", () =>
    Effect.gen(function* () {
      const { at, root, snapshots } = yield* workspace(
        { "large.bin": "x".repeat(2_000), "a.txt": "a" },
        { limits: { maxFileBytes: 1_000 } }
      )
      const { call, undo } = session(snapshots)
      yield* call(1, () => {
        put(root, { "large.bin": "y".repeat(2_001), "b.txt": "b" })
        fs.rmSync(at("a.txt"))
        put(root, { "a.txt": "z".repeat(3_000) })
      })
      const { lost, removed } = yield* undo()
      assert.deepStrictEqual(lost, [
        { path: "a.txt", reason: "too large" },
        { path: "large.bin", reason: "too large" }
      ])
      assert.deepStrictEqual(
        [removed, text(at("large.bin")).length, text(at("a.txt")).length],
        [["b.txt"], 2_001, 3_000]
      )
    })
  )

  it.live("names the files that it could restore", () =>
    Effect.gen(function* () {
      const { at, snapshots } = yield* workspace(
        {
          "a.txt": "a",
          "large.bin": "x".repeat(2_000),
          "node_modules/x/y.js": "y",
          ".gitignore": "node_modules\n*.log\n",
          "a.log": "kept"
        },
        { limits: { maxFileBytes: 1_000, maxIgnoredEntries: 1 } }
      )
      const isRestorable = yield* snapshots.restorable
      assert.deepStrictEqual(
        ["a.txt", "large.bin", "node_modules/x/y.js", "a.log", "gone"].map((name) => isRestorable(at(name))),
        [true, false, false, true, false]
      )
      assert.isFalse(isRestorable("/etc/passwd"))
    })
  )

  it.live("opens no FIFO, reads no huge file and no file of another owner under a second name", () =>
    Effect.gen(function* () {
      const { at, outside, root, snapshots, store } = yield* workspace({ "a.txt": "a" })
      execFileSync("mkfifo", [at("pipe")])
      fs.writeFileSync(at("sparse"), "")
      fs.truncateSync(at("sparse"), 2 ** 40)
      put(outside, { secret: "canary-7f3a" })
      if (isRoot) {
        fs.chownSync(path.join(outside, "secret"), 4321, 4321)
        fs.linkSync(path.join(outside, "secret"), at("second"))
      }
      const { call, undo } = session(snapshots)
      yield* call(1, () => put(root, { "a.txt": "b" }))
      yield* undo()
      assert.strictEqual(text(at("a.txt")), "a")
      assert.notInclude(storedIn(store), "canary-7f3a")
    })
  )

  it.live("does not follow a link that took the place of a directory", () =>
    Effect.gen(function* () {
      const { at, outside, root, snapshots } = yield* workspace({ "dir/a.txt": "old" })
      const { call, undo } = session(snapshots)
      yield* call(1, () => put(root, { "dir/a.txt": "new", "dir/b.txt": "b" }))
      put(outside, { "a.txt": "theirs", "b.txt": "theirs" })
      fs.renameSync(at("dir"), at("moved"))
      fs.symlinkSync(outside, at("dir"))
      assert.strictEqual((yield* Effect.flip(undo()))._tag, "FilesChanged")
      const forced = yield* Effect.result(undo(null, true))
      assert.strictEqual(forced._tag, "Failure")
      assert.deepStrictEqual(
        fs.readdirSync(outside).map((name) => text(path.join(outside, name))),
        ["theirs", "theirs"]
      )
    })
  )

  it.live("reports that required states were deleted, and changes nothing", () =>
    Effect.gen(function* () {
      const { root, snapshots, store } = yield* workspace({ "a.txt": "old" })
      const { call, calls } = session(snapshots)
      yield* call(1, () => put(root, { "a.txt": "new" }))
      const other = yield* WorkspaceSnapshots.make({ root, directory: `${store}-2` })
      const error = yield* Effect.flip(other.undo({ session: "s", calls, turn: null, isForced: false }))
      assert.strictEqual(error._tag, "SnapshotsMissing")
      assert.strictEqual(text(path.join(root, "a.txt")), "new")
    })
  )
})

describe("A snapshot store", () => {
  it.live("deletes states that are too old, and a process that knew one records it again", () =>
    Effect.gen(function* () {
      const { at, root, snapshots, store } = yield* workspace({ "a.txt": "one", "b.txt": "same" })
      const first = yield* snapshots.before
      put(root, { "a.txt": "two" })
      // Another process finds every state too old.
      const database = Database.open(Engine.fileOf(store, root))
      Collect.collectNow(ObjectStore.make(database), { maxAgeMillis: -60_000, maxStoreBytes: 1 }, Date.now())
      assert.strictEqual(database.get("SELECT count(*) AS n FROM object")?.["n"], 0)
      database.close()
      const { call, undo } = session(snapshots)
      yield* call(1, () => fs.rmSync(at("b.txt")))
      yield* undo()
      assert.strictEqual(text(at("b.txt")), "same")
      const calls = [{ turn: 1, commit: 1, before: first, after: null }]
      const error = yield* Effect.flip(snapshots.undo({ session: "t", calls, turn: null, isForced: false }))
      assert.strictEqual(error._tag, "SnapshotsMissing")
    })
  )

  it.live("refuses a workspace that is too large before it reads any of it", () =>
    Effect.gen(function* () {
      const { root, snapshots, store } = yield* workspace({}, { limits: { maxBytes: 10_000 } })
      for (let count = 0; count < 20; count++) put(root, { [`f${count}`]: `canary-7f3a${"x".repeat(1_000)}` })
      const error = yield* Effect.flip(snapshots.before)
      assert.deepStrictEqual([error._tag, error.reason], ["SnapshotFailed", "TooLarge"])
      assert.notInclude(storedIn(store), "canary-7f3a")
    })
  )

  it.live("reports the fault of its directory, and works again once it is fixed", () =>
    Effect.gen(function* () {
      const { base, root, snapshots, store } = yield* workspace({ "a.txt": "a" })
      fs.writeFileSync(path.join(base, "home"), "in the way")
      const error = yield* Effect.flip(snapshots.before)
      assert.deepStrictEqual([error.reason, /snapshot store failed/.test(error.message)], ["StoreFailed", true])
      fs.rmSync(path.join(base, "home"))
      const { call, undo } = session(snapshots)
      yield* call(1, () => put(root, { "a.txt": "b" }))
      yield* undo()
      assert.strictEqual(text(path.join(root, "a.txt")), "a")
      assert.strictEqual((fs.statSync(store).mode & 0o777).toString(8), "700")
    })
  )

  it.live("refuses the file of a later version, and leaves it unchanged", () =>
    Effect.gen(function* () {
      const { root, snapshots, store } = yield* workspace({ "a.txt": "a" })
      yield* Effect.scoped(Effect.flatMap(WorkspaceSnapshots.make({ root, directory: store }), ({ before }) => before))
      const file = fs.readdirSync(store).find((name) => name.endsWith(".db")) ?? ""
      const { DatabaseSync } = yield* Effect.promise(() => import("node:sqlite"))
      const database = new DatabaseSync(path.join(store, file))
      database.exec("PRAGMA user_version = 99")
      database.close()
      const error = yield* Effect.flip(snapshots.before)
      assert.include(error.message, "format 99")
    })
  )
})

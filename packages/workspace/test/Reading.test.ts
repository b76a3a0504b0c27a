import { Canonical } from "@bough/protocol"
import { type LineWindow } from "@bough/text"
import { Capability, Grant, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { Workspace } from "../src/index.ts"
import { canary, command, isRoot, open, words } from "./Scratch.ts"

const all: LineWindow.LineRange = { fromLine: 1, maxLines: 100, maxBytes: 10_000 }

/** The files below a folder that this process has open. Other tests of the process have files of their own open. */
const openBelow = (folder: string): ReadonlyArray<string> =>
  fs.readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return [fs.readlinkSync(`/proc/self/fd/${descriptor}`)].filter((file) => file.startsWith(folder))
    } catch {
      return [] // closed since it was listed
    }
  })

describe("WorkspaceRead", () => {
  it.live("reads a file with its digest, by its relative and its absolute path", () =>
    Effect.gen(function* () {
      const { at, read } = yield* open({ "src/a.txt": "one\ntwo\n" })
      for (const name of ["src/a.txt", "./src//a.txt", "src/../src/./a.txt", at("src/a.txt")]) {
        const { bytes, digest } = yield* read.readFile(name, 100)
        assert.strictEqual(Buffer.from(bytes).toString(), "one\ntwo\n")
        assert.strictEqual(digest, Canonical.digest("one\ntwo\n"))
      }
    })
  )

  it.live("follows links that stay inside, relative and absolute, to files and through directories", () =>
    Effect.gen(function* () {
      const { at, read } = yield* open({ "src/deep/a.txt": "here" })
      fs.symlinkSync("src/deep", at("short"))
      fs.symlinkSync(at("src"), at("absolute"))
      fs.symlinkSync("../short/a.txt", at("src/up"))
      for (const name of ["short/a.txt", "absolute/deep/a.txt", "src/up", "short/../deep/a.txt"]) {
        assert.strictEqual(Buffer.from((yield* read.readFile(name, 100)).bytes).toString(), "here", name)
      }
    })
  )

  it.live("follows 40 links in a row, and no more", () =>
    Effect.gen(function* () {
      const { at, read } = yield* open({ l0: "the end" })
      for (let link = 1; link <= 41; link++) fs.symlinkSync(`l${link - 1}`, at(`l${link}`))
      const found = yield* read.readFile("l40", 1000)
      assert.strictEqual(Buffer.from(found.bytes).toString(), "the end")
      assert.include((yield* Effect.flip(read.readFile("l41", 1000))).message, "too many links")
    })
  )

  it.live("opens the root by a link to it, and accepts absolute paths in either spelling", () =>
    Effect.gen(function* () {
      const { base, root } = yield* open({ "a.txt": "here" })
      const alias = path.join(base, "alias")
      fs.symlinkSync(root, alias)
      const other = yield* open({}, { root: alias })
      assert.strictEqual(other.workspace.root, root)
      for (const name of [path.join(alias, "a.txt"), path.join(root, "a.txt")]) {
        assert.strictEqual(Buffer.from((yield* other.read.readFile(name, 100)).bytes).toString(), "here")
      }
    })
  )

  it.live("does not treat a directory beside the root with the same prefix as the root", () =>
    Effect.gen(function* () {
      const { read, root } = yield* open()
      fs.mkdirSync(`${root}-twin`)
      fs.writeFileSync(`${root}-twin/x`, canary)
      const error = yield* Effect.flip(read.readFile(`${root}-twin/x`, 100))
      assert.include(words(error), "PermissionDenied PathEscape:")
    })
  )

  it.live("reports the window of lines that it read, by lines and bytes, and the total", () =>
    Effect.gen(function* () {
      const { read } = yield* open({ "a.txt": "one\ntwo\nthree" })
      const window = yield* read.readLines("a.txt", { fromLine: 2, maxLines: 1, maxBytes: 100 })
      assert.deepStrictEqual(window, {
        text: "two\n",
        encoding: "utf-8",
        fromLine: 2,
        lines: 1,
        startByte: 4,
        endByte: 8,
        totalBytes: 13,
        totalLines: 3,
        digest: Canonical.digest("one\ntwo\nthree"),
        binary: false
      })
    })
  )

  it.live(
    "reads the lines of a file of many chunks like one in memory",
    () =>
      Effect.gen(function* () {
        const text = Array.from({ length: 300_000 }, (_, index) => `line ${index + 1} of many\n`).join("")
        const { read } = yield* open({ "big.txt": text })
        const window = yield* read.readLines("big.txt", { fromLine: 200_000, maxLines: 2, maxBytes: 1000 })
        assert.strictEqual(window.text, "line 200000 of many\nline 200001 of many\n")
        assert.strictEqual(window.totalLines, 300_000)
        assert.strictEqual(window.digest, Canonical.digest(text))
        assert.strictEqual(text.slice(window.startByte, window.endByte), window.text)
        assert.strictEqual(yield* read.digest("big.txt"), Canonical.digest(text))
      }),
    thoroughOnly
  )

  it.live("reads part of a line of two gigabytes without holding the file", () =>
    Effect.gen(function* () {
      const { at, read } = yield* open({ "one-line": "x".repeat(100_000) })
      fs.truncateSync(at("one-line"), 2 * 1024 ** 3)
      const before = process.memoryUsage().rss
      const window = yield* read.readLines("one-line", { fromLine: 1, maxLines: 2000, maxBytes: 10_000 })
      assert.strictEqual(window.text, "x".repeat(10_000))
      assert.isNull(window.totalLines)
      assert.isBelow(process.memoryUsage().rss - before, 20 * 1024 ** 2)
      const later = yield* read.readLines("one-line", { ...all, fromByte: window.endByte })
      assert.strictEqual(later.text, "x".repeat(10_000))
    })
  )

  it.live("refuses five terabytes, naming size and limit, and reads none of them", () =>
    Effect.gen(function* () {
      const { at, read } = yield* open({ huge: "" })
      fs.truncateSync(at("huge"), 5 * 1024 ** 4)
      const before = process.memoryUsage().rss
      const attempts = [
        Effect.asVoid(read.readFile("huge", 1000)),
        Effect.asVoid(read.readLines("huge", all)),
        Effect.asVoid(read.digest("huge"))
      ]
      for (const attempt of attempts) {
        const error = yield* Effect.flip(attempt)
        assert.match(words(error), /PermissionDenied TooLarge: .*5497558138880 bytes, the limit is \d+/)
      }
      assert.isBelow(process.memoryUsage().rss - before, 20 * 1024 ** 2)
    })
  )

  it.live("reads a file that claims to be empty and is not, up to the limit", () =>
    Effect.gen(function* () {
      const { read } = yield* open({}, { root: "/proc" })
      assert.include(Buffer.from((yield* read.readFile("version", 10_000)).bytes).toString(), "Linux")
      const error = yield* Effect.flip(read.readFile("kallsyms", 5000))
      assert.include(words(error), "TooLarge:")
    })
  )

  it.live("answers at once beside eight reads of FIFOs without a writer", () =>
    Effect.gen(function* () {
      const { at, read } = yield* open({ "ok.txt": "ok" })
      const names = Array.from({ length: 8 }, (_, index) => `f${index}`)
      for (const name of names) command("mkfifo", [at(name)])
      const errors = yield* Effect.forEach(names, (name) => Effect.flip(read.readLines(name, all)), {
        concurrency: "unbounded"
      })
      for (const error of errors) assert.match(words(error), /PermissionDenied NotRegular: .* FIFO/)
      assert.strictEqual((yield* read.readLines("ok.txt", all)).text, "ok")
    })
  )

  it.live.skipIf(!isRoot)("refuses devices made in the workspace [needs root]", () =>
    Effect.gen(function* () {
      const { at, read } = yield* open()
      command("mknod", [at("zero"), "c", "1", "5"])
      assert.match(words(yield* Effect.flip(read.readFile("zero", 100))), /NotRegular: .* device/)
    })
  )

  it.live("refuses devices under a root that is all of the machine", () =>
    Effect.gen(function* () {
      const { read } = yield* open({}, { root: "/" })
      assert.match(words(yield* Effect.flip(read.readFile("dev/zero", 100))), /NotRegular: .* device/)
      assert.match(words(yield* Effect.flip(read.readLines("/dev/zero", all))), /NotRegular: .* device/)
    })
  )

  it.live.skipIf(!isRoot)("refuses another owner's file under a second name, not the user's own [needs root]", () =>
    Effect.gen(function* () {
      const { at, outside, read } = yield* open({ "own.txt": "own" })
      fs.linkSync(at("own.txt"), at("own-too.txt"))
      assert.strictEqual((yield* read.readLines("own-too.txt", all)).text, "own")
      fs.chownSync(path.join(outside, "secret"), 65534, 65534)
      fs.linkSync(path.join(outside, "secret"), at("h"))
      assert.match(words(yield* Effect.flip(read.readFile("h", 100))), /PermissionDenied HardLink:/)
    })
  )

  it.live("shows a secret file to a call that was granted this path, and to no other", () =>
    Effect.gen(function* () {
      const { at, read, workspace } = yield* open({ ".env": "KEY=1", "other.env": "KEY=2" })
      fs.symlinkSync(".env", at("harmless.txt"))
      fs.writeFileSync(at("plain.txt"), "KEY=3")
      fs.symlinkSync("plain.txt", at("link.env"))
      for (const name of [".env", "harmless.txt", "./.env", "link.env"]) {
        assert.include(words(yield* Effect.flip(read.readFile(name, 100))), "PermissionDenied SecretFile:")
      }
      const granted = workspace.read([Grant.Grant.cases.Path.make({ path: ".env" })])
      assert.strictEqual((yield* granted.readLines("harmless.txt", all)).text, "KEY=1")
      assert.include(words(yield* Effect.flip(granted.readFile("other.env", 100))), "SecretFile:")
    })
  )

  it.live("treats a file as secret once a secret was copied there", () =>
    Effect.gen(function* () {
      const copies: Array<string> = []
      const { at, read } = yield* open({ "config.txt": "KEY=1" }, { secretPaths: () => copies })
      assert.deepStrictEqual(yield* read.inspect("config.txt"), { path: "config.txt", sensitivity: "none" })
      copies.push(at("config.txt"))
      assert.deepStrictEqual(yield* read.inspect("config.txt"), { path: "config.txt", sensitivity: "secret" })
      assert.include(words(yield* Effect.flip(read.readFile("config.txt", 100))), "SecretFile:")
    })
  )

  it.live("keeps the operator's protected paths closed, through links too", () =>
    Effect.gen(function* () {
      const { at, root } = yield* open({ "data/journal": canary, "database.txt": "free" })
      fs.symlinkSync("data", at("link"))
      const { read, write } = yield* open({}, { root, protectedPaths: [path.join(root, "data")] })
      for (const name of ["data/journal", "DATA/journal", "link/journal"]) {
        assert.match(words(yield* Effect.flip(read.readFile(name, 100))), /Protected:/, name)
      }
      assert.match(words(yield* Effect.flip(write.writeFile("data/new", Buffer.from("x")))), /Protected:/)
      assert.match(words(yield* Effect.flip(write.remove("data"))), /Protected:/)
      fs.mkdirSync(at("deep/er"), { recursive: true })
      const deep = yield* open({}, { root, protectedPaths: [path.join(root, "deep/er/data")] })
      for (const above of ["deep", "DEEP", "deep/er", "./deep/../deep"]) {
        assert.match(
          words(yield* Effect.flip(deep.write.move(above, "gone"))),
          /Protected:|there is no file or directory/,
          above
        )
      }
      assert.isTrue(fs.existsSync(at("deep/er")))
      assert.strictEqual((yield* read.readLines("database.txt", all)).text, "free")
    })
  )

  it.live("reports a link itself, not its target", () =>
    Effect.gen(function* () {
      const { at, outside, read } = yield* open({ "a.sh": "echo" })
      fs.chmodSync(at("a.sh"), 0o4750)
      fs.symlinkSync(path.join(outside, "secret"), at("out"))
      assert.strictEqual((yield* read.info("out")).kind, "symlink")
      const { bytes, kind, mode, path: name } = yield* read.info("./a.sh")
      assert.deepStrictEqual({ bytes, kind, mode, name }, { bytes: 4, kind: "file", mode: "750", name: "a.sh" })
      assert.strictEqual((yield* read.info(".")).kind, "directory")
      assert.include(words(yield* Effect.flip(read.info("none"))), "ExecutionError there is no file or directory")
    })
  )

  it.live("returns the digest of any existing entry, and null for a missing one", () =>
    Effect.gen(function* () {
      const { at, outside, read } = yield* open({ "d/a": "1", "d/sub/b": "2" })
      fs.symlinkSync(path.join(outside, "secret"), at("out"))
      fs.symlinkSync("nowhere", at("dangling"))
      assert.strictEqual(yield* read.digest("d/a"), Canonical.digest("1"))
      assert.isNull(yield* read.digest("not/there/at/all"))
      assert.isNull(yield* read.digest("dangling"))
      assert.match((yield* read.digest("out")) ?? "", /^link:/)
      const before = yield* read.digest("d")
      assert.match(before ?? "", /^tree:/)
      assert.strictEqual(yield* read.digest("d"), before)
      fs.writeFileSync(at("d/sub/b"), "22")
      assert.notStrictEqual(yield* read.digest("d"), before)
    })
  )

  it.live("notices a file of a directory that was changed and dated back", () =>
    Effect.gen(function* () {
      const { at, read } = yield* open({ "d/a": "one" })
      const { atime, mtime } = fs.statSync(at("d/a"))
      const before = { digest: yield* read.digest("d"), info: yield* read.info("d/a") }
      // The clock of a file system advances in steps.
      for (let after = before.info; after.changedAtMillis === before.info.changedAtMillis;) {
        fs.writeFileSync(at("d/a"), "two")
        fs.utimesSync(at("d/a"), atime, mtime)
        after = yield* read.info("d/a")
      }
      assert.notStrictEqual(yield* read.digest("d"), before.digest)
    })
  )

  it.live("reports the target of a path and its protection, even if it does not exist yet", () =>
    Effect.gen(function* () {
      const { at, read } = yield* open({ "src/a.ts": "", ".env": "", ".vscode/": "" })
      fs.symlinkSync("../.env", at("src/notes.txt"))
      fs.symlinkSync("../.vscode", at("src/editor"))
      assert.deepStrictEqual(yield* read.inspect("src/a.ts"), { path: "src/a.ts", sensitivity: "none" })
      assert.deepStrictEqual(yield* read.inspect("src/notes.txt"), { path: ".env", sensitivity: "secret" })
      assert.deepStrictEqual(yield* read.inspect("src/editor/settings.json"), {
        path: ".vscode/settings.json",
        sensitivity: "configuration"
      })
      assert.deepStrictEqual(yield* read.inspect("new/deep/../AGENTS.md"), {
        path: "new/AGENTS.md",
        sensitivity: "instructions"
      })
      assert.match(words(yield* Effect.flip(read.inspect("new/../../x"))), /PathEscape/)
      assert.match(words(yield* Effect.flip(read.inspect("new/.ssh/x"))), /Protected/)
    })
  )

  it.live("leaves no descriptor open, however a call ends", () =>
    Effect.gen(function* () {
      const { at, base, outside, read, write } = yield* open({ "a/b/c/d.txt": "x", ".env": "x" })
      fs.symlinkSync(path.join(outside, "secret"), at("out"))
      const before = openBelow(base)
      for (let round = 0; round < 20; round++) {
        yield* read.readLines("a/b/c/d.txt", all)
        yield* write.writeFile("a/b/c/e.txt", Buffer.from("x"))
        yield* read.list("a", { recursive: false, hidden: true, ignored: false, measure: true, limit: 10 })
        for (const name of ["out", "a/../../x", "a/b/c/none", "a/b/c", ".env"]) {
          yield* Effect.flip(read.readFile(name, 10))
        }
        yield* Effect.flip(write.writeFile("a/b/c", Buffer.from("x")))
      }
      assert.deepStrictEqual(openBelow(base), before)
    })
  )

  it.live("is prewarmed for its first call without opening a file", () =>
    Effect.gen(function* () {
      const { at, workspace } = yield* open()
      const context = Workspace.provideReads(ToolContext.empty("Main"), workspace)
      const prepare = context.capabilities.get(Capability.WorkspaceRead.key)?.prepare
      assert.isDefined(prepare)
      yield* prepare ?? Effect.die("nothing prepares it")
      // Opening it to read would wait for a writer.
      command("mkfifo", [at("README.md")])
      yield* prepare ?? Effect.void
    })
  )
})

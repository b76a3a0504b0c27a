import { Grant } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { canary, command, open, put, words } from "./Scratch.ts"

/** Every name below a directory with its content, link text or "/" for a directory. */
const tree = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fs
      .readdirSync(root, { recursive: true, encoding: "utf8" })
      .toSorted()
      .map((name) => {
        const file = path.join(root, name)
        const stats = fs.lstatSync(file)
        const content = stats.isSymbolicLink() ? `-> ${fs.readlinkSync(file)}` : stats.isDirectory() ? "/" : null
        return [name, content ?? fs.readFileSync(file, "utf8")]
      })
  )

describe("WorkspaceWrite.createDirectory", () => {
  it.live("makes missing parents too, and accepts existing ones", () =>
    Effect.gen(function* () {
      const { root, write } = yield* open({ file: "x" })
      assert.deepStrictEqual(yield* write.createDirectory("a/b/c"), { created: true })
      assert.deepStrictEqual(yield* write.createDirectory("a/b"), { created: false })
      assert.deepStrictEqual(yield* write.createDirectory("."), { created: false })
      assert.match(words(yield* Effect.flip(write.createDirectory("file"))), /there is something at/)
      assert.match(words(yield* Effect.flip(write.createDirectory("a/.git/hooks"))), /Protected/)
      assert.deepStrictEqual(tree(root), { a: "/", "a/b": "/", "a/b/c": "/", file: "x" })
    })
  )
})

describe("WorkspaceWrite.move", () => {
  it.live("moves files, directories and links unchanged, making missing parents", () =>
    Effect.gen(function* () {
      const { at, outside, root, write } = yield* open({ "a.txt": "1", "dir/b.txt": "2" })
      const secret = path.join(outside, "secret")
      fs.symlinkSync(secret, at("link"))
      yield* write.move("a.txt", "new/a.txt")
      yield* write.move("dir", "new/dir")
      yield* write.move("link", "new/link")
      assert.deepStrictEqual(tree(root), {
        new: "/",
        "new/a.txt": "1",
        "new/dir": "/",
        "new/dir/b.txt": "2",
        "new/link": `-> ${secret}`
      })
    })
  )

  it.live("replaces nothing, never leaves the workspace, and does not move a directory into itself", () =>
    Effect.gen(function* () {
      const { at, root, write } = yield* open({ "a.txt": "1", "b.txt": "2", "dir/": "", "empty/": "" })
      fs.symlinkSync("nowhere", at("dangling"))
      const before = tree(root)
      const failure = (from: string, to: string) => Effect.map(Effect.flip(write.move(from, to)), words)
      assert.match(yield* failure("a.txt", "b.txt"), /there is something at "b.txt" already/)
      assert.match(yield* failure("a.txt", "dangling"), /there is something at/)
      assert.match(yield* failure("dir", "empty"), /there is something at/)
      assert.match(yield* failure("none", "x"), /there is no file or directory/)
      assert.match(yield* failure("dir", "dir/sub"), /inside/)
      assert.match(yield* failure("a.txt", "../a.txt"), /PathEscape/)
      assert.match(yield* failure(".", "x"), /Protected/)
      assert.match(yield* failure("dir", ".git"), /Protected/)
      assert.match(yield* failure("a.txt", ".GIT/x"), /Protected/)
      assert.deepStrictEqual(tree(root), before)
    })
  )

  it.live("gives no secret file a harmless name without a grant", () =>
    Effect.gen(function* () {
      const { root, workspace, write } = yield* open({ ".env": canary, id_rsa: canary })
      assert.match(words(yield* Effect.flip(write.move(".env", "notes.txt"))), /SecretFile/)
      assert.match(words(yield* Effect.flip(write.copy(".env", "notes.txt"))), /SecretFile/)
      assert.match(words(yield* Effect.flip(write.move("id_rsa", "notes.txt"))), /Protected/)
      assert.match(words(yield* Effect.flip(write.copy("id_rsa", "notes.txt"))), /Protected/)
      const granted = workspace.write([Grant.Grant.cases.Path.make({ path: ".env" })])
      yield* granted.move(".env", "notes.txt")
      assert.deepStrictEqual(tree(root), { id_rsa: canary, "notes.txt": canary })
    })
  )
})

describe("WorkspaceWrite.copy", () => {
  it.live("copies files with their mode, links as links and whole directories", () =>
    Effect.gen(function* () {
      const { at, outside, root, write } = yield* open({ "src/a.txt": "1", "src/deep/b.sh": "2", "src/empty/": "" })
      fs.chmodSync(at("src/deep/b.sh"), 0o4755)
      fs.symlinkSync("a.txt", at("src/link"))
      fs.symlinkSync(path.join(outside, "secret"), at("src/out"))
      assert.deepStrictEqual(yield* write.copy("src", "made/copy"), { files: 4 })
      assert.deepStrictEqual(yield* write.copy("src/a.txt", "a.txt"), { files: 1 })
      assert.deepStrictEqual(tree(at("made/copy")), tree(at("src")))
      assert.strictEqual(fs.statSync(at("made/copy/deep/b.sh")).mode & 0o7777, 0o755)
      assert.deepStrictEqual(fs.readdirSync(root).toSorted(), ["a.txt", "made", "src"])
    })
  )

  it.live("leaves nothing behind when it may not copy all, and replaces nothing", () =>
    Effect.gen(function* () {
      const { at, outside, root, write } = yield* open({
        "fifo/a": "1",
        "repo/.git/HEAD": "ref",
        "repo/a": "1",
        there: "x"
      })
      command("mkfifo", [at("fifo/f")])
      if (process.getuid?.() === 0) {
        fs.mkdirSync(at("linked"))
        fs.chownSync(path.join(outside, "secret"), 65534, 65534)
        fs.linkSync(path.join(outside, "secret"), at("linked/z"))
        put(root, { "linked/a": "1" })
        assert.match(words(yield* Effect.flip(write.copy("linked", "copy"))), /HardLink/)
      }
      assert.match(words(yield* Effect.flip(write.copy("fifo", "copy"))), /NotRegular: "fifo\/f"/)
      assert.match(words(yield* Effect.flip(write.copy("repo", "copy"))), /Protected: "repo\/.git"/)
      assert.match(words(yield* Effect.flip(write.copy("repo/a", "there"))), /there is something at/)
      assert.match(words(yield* Effect.flip(write.copy("repo", "repo/a/b"))), /is not a directory|inside/)
      assert.notInclude(fs.readdirSync(root).join(), ".bough-")
      assert.isFalse(fs.existsSync(at("copy")))
      assert.strictEqual(fs.readFileSync(at("there"), "utf8"), "x")
    })
  )
})

describe("WorkspaceWrite.remove", () => {
  it.live("removes a file, a link but not its target, and an entire directory", () =>
    Effect.gen(function* () {
      const { at, outside, root, write } = yield* open({
        "a.txt": "1",
        "dir/b": "2",
        "dir/deep/c": "3",
        "dir/test.pem": "a fixture of a dependency",
        kept: "4"
      })
      fs.symlinkSync(outside, at("out"))
      fs.symlinkSync(outside, at("dir/out"))
      assert.deepStrictEqual(yield* write.remove("a.txt"), { files: 1 })
      assert.deepStrictEqual(yield* write.remove("out"), { files: 1 })
      assert.deepStrictEqual(yield* write.remove("dir"), { files: 4 })
      assert.deepStrictEqual(tree(root), { kept: "4" })
      assert.deepStrictEqual(fs.readdirSync(outside), ["secret"])
    })
  )

  it.live("removes nothing at all if one path below may not be changed", () =>
    Effect.gen(function* () {
      const { root, write } = yield* open({
        "key.pem": "k",
        "repo/a": "1",
        "repo/sub/.git/HEAD": "ref",
        "repo/zz/last": "1"
      })
      const before = tree(root)
      assert.match(words(yield* Effect.flip(write.remove("repo"))), /Protected: "repo\/sub\/.git"/)
      assert.match(words(yield* Effect.flip(write.remove("repo/sub/.git/HEAD"))), /Protected/)
      assert.match(words(yield* Effect.flip(write.remove("key.pem"))), /Protected/)
      assert.match(words(yield* Effect.flip(write.remove("."))), /Protected/)
      assert.match(words(yield* Effect.flip(write.remove("repo/.."))), /Protected/)
      assert.match(words(yield* Effect.flip(write.remove("none"))), /there is no file or directory/)
      assert.deepStrictEqual(tree(root), before)
    })
  )
})

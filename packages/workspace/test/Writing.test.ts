import { Canonical } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { canary, command, isRoot, open, words } from "./Scratch.ts"

const bytes = (text: string): Uint8Array => Buffer.from(text)

const leftovers = (root: string): ReadonlyArray<string> =>
  fs.readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.includes(".bough-"))

/** Tested once on a directory of its own. */
const canMount = ((): boolean => {
  if (!isRoot || process.platform !== "linux") return false
  const place = fs.mkdtempSync(path.join(tmpdir(), "bough-mount-"))
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "tmpfs", place]).status === 0
  if (isMounted) spawnSync("umount", [place])
  fs.rmdirSync(place)
  return isMounted
})()

describe("WorkspaceWrite.writeFile", () => {
  it.live("makes a file and its missing parents, and reports the new digest", () =>
    Effect.gen(function* () {
      const { at, root, write } = yield* open()
      const written = yield* write.writeFile("new/deep/a.txt", bytes("héllo"))
      assert.deepStrictEqual(written, {
        path: "new/deep/a.txt",
        bytes: 6,
        digest: Canonical.digest("héllo"),
        created: true
      })
      assert.strictEqual(fs.readFileSync(at("new/deep/a.txt"), "utf8"), "héllo")
      assert.strictEqual(fs.statSync(at("new/deep/a.txt")).mode & 0o7777, 0o666 & ~process.umask())
      assert.deepStrictEqual(leftovers(root), [])
    })
  )

  it.live("keeps the mode of a file that it replaces, but never setuid, setgid or sticky", () =>
    Effect.gen(function* () {
      const { at, write } = yield* open({ "run.sh": "1", "own.txt": "1", "all.txt": "1" })
      fs.chmodSync(at("run.sh"), 0o6755)
      fs.chmodSync(at("own.txt"), 0o600)
      fs.chmodSync(at("all.txt"), 0o666)
      for (const name of ["run.sh", "own.txt", "all.txt"]) yield* write.writeFile(name, bytes("2"))
      assert.strictEqual(fs.statSync(at("run.sh")).mode & 0o7777, 0o755)
      assert.strictEqual(fs.statSync(at("own.txt")).mode & 0o7777, 0o600)
      assert.strictEqual(fs.statSync(at("all.txt")).mode & 0o7777, 0o666)
    })
  )

  it.live.skipIf(!isRoot)("keeps the owner of a file that it replaces [needs root]", () =>
    Effect.gen(function* () {
      const { at, write } = yield* open({ "a.txt": "1" })
      fs.chownSync(at("a.txt"), 65534, 65534)
      yield* write.writeFile("a.txt", bytes("2"))
      const { gid, uid } = fs.statSync(at("a.txt"))
      assert.deepStrictEqual({ uid, gid }, { uid: 65534, gid: 65534 })
    })
  )

  it.live("replaces the file and not its content: a process that has it open still reads the old bytes", () =>
    Effect.gen(function* () {
      const { at, write } = yield* open({ "a.txt": "old" })
      const fd = fs.openSync(at("a.txt"), "r")
      yield* write.writeFile("a.txt", bytes("new"))
      assert.strictEqual(fs.readFileSync(fd, "utf8"), "old")
      fs.closeSync(fd)
      assert.strictEqual(fs.readFileSync(at("a.txt"), "utf8"), "new")
    })
  )

  it.live("separates from the other names of a file with several", () =>
    Effect.gen(function* () {
      const { at, outside, write } = yield* open()
      fs.linkSync(path.join(outside, "secret"), at("h"))
      yield* write.writeFile("h", bytes("x"))
      assert.strictEqual(fs.readFileSync(at("h"), "utf8"), "x")
      assert.strictEqual(fs.readFileSync(path.join(outside, "secret"), "utf8"), canary)
    })
  )

  it.live("writes through a link that stays inside, and keeps the link", () =>
    Effect.gen(function* () {
      const { at, write } = yield* open({ "real/a.txt": "1" })
      fs.symlinkSync("real/a.txt", at("link"))
      fs.symlinkSync("real/new.txt", at("dangling"))
      assert.strictEqual((yield* write.writeFile("link", bytes("2"))).path, "real/a.txt")
      assert.isTrue((yield* write.writeFile("dangling", bytes("3"))).created)
      assert.isTrue(fs.lstatSync(at("link")).isSymbolicLink())
      assert.strictEqual(fs.readFileSync(at("real/a.txt"), "utf8"), "2")
      assert.strictEqual(fs.readFileSync(at("real/new.txt"), "utf8"), "3")
    })
  )

  it.live("makes nothing if a dangling link leads out of the workspace", () =>
    Effect.gen(function* () {
      const { at, outside, write } = yield* open()
      fs.symlinkSync(path.join(outside, "created"), at("new"))
      fs.symlinkSync("../outside/created-too", at("relative"))
      fs.symlinkSync("../outside", at("folder"))
      for (const name of ["new", "relative", "folder/created", "folder/sub/created"]) {
        assert.match(words(yield* Effect.flip(write.writeFile(name, bytes("x")))), /PermissionDenied SymlinkEscape:/)
      }
      assert.match(words(yield* Effect.flip(write.createDirectory("folder/sub"))), /SymlinkEscape:/)
      assert.deepStrictEqual(fs.readdirSync(outside), ["secret"])
    })
  )

  it.live("writes only over the expected digest", () =>
    Effect.gen(function* () {
      const { at, root, write } = yield* open({ "a.txt": "1" })
      const conflict = /ExecutionError Conflict: /
      const one = Canonical.digest("1")
      assert.match(words(yield* Effect.flip(write.writeFile("a.txt", bytes("2"), Canonical.digest("0")))), conflict)
      assert.match(words(yield* Effect.flip(write.writeFile("a.txt", bytes("2"), null))), conflict)
      assert.match(words(yield* Effect.flip(write.writeFile("none.txt", bytes("2"), one))), conflict)
      assert.strictEqual(fs.readFileSync(at("a.txt"), "utf8"), "1")
      assert.isFalse(fs.existsSync(at("none.txt")))
      assert.deepStrictEqual(leftovers(root), [])
      yield* write.writeFile("a.txt", bytes("2"), one)
      yield* write.writeFile("b.txt", bytes("3"), null)
      assert.strictEqual(fs.readFileSync(at("a.txt"), "utf8"), "2")
      assert.strictEqual(fs.readFileSync(at("b.txt"), "utf8"), "3")
    })
  )

  it.live("loses no update among writers that each expect the digest that they read", () =>
    Effect.gen(function* () {
      const { at, read, write } = yield* open({ count: "0" })
      const increment = Effect.gen(function* () {
        const { bytes: content, digest } = yield* read.readFile("count", 100)
        yield* Effect.yieldNow
        yield* write.writeFile("count", bytes(String(Number(Buffer.from(content).toString()) + 1)), digest)
      })
      const exits = yield* Effect.forEach(
        Array.from({ length: 40 }, () => increment),
        Effect.exit,
        { concurrency: "unbounded" }
      )
      const done = exits.filter((exit) => exit._tag === "Success").length
      assert.isAbove(done, 0)
      assert.strictEqual(fs.readFileSync(at("count"), "utf8"), String(done))
    })
  )

  it.live("lets one of many writers create a missing file", () =>
    Effect.gen(function* () {
      const { at, write } = yield* open()
      const exits = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => write.writeFile("one", bytes(String(index)), null)),
        Effect.exit,
        { concurrency: "unbounded" }
      )
      const winners = exits.flatMap((exit, index) => (exit._tag === "Success" ? [index] : []))
      assert.strictEqual(winners.length, 1)
      assert.strictEqual(fs.readFileSync(at("one"), "utf8"), String(winners[0]))
    })
  )

  it.live("reports a target that is not a file, and impossible names", () =>
    Effect.gen(function* () {
      const { at, root, write } = yield* open({ "dir/": "", file: "x" })
      command("mkfifo", [at("fifo")])
      const failure = (name: string) => Effect.map(Effect.flip(write.writeFile(name, bytes("x"))), words)
      assert.match(yield* failure("dir"), /is a directory, not a file/)
      assert.match(yield* failure("fifo"), /PermissionDenied NotRegular/)
      assert.match(yield* failure("file/below"), /is not a directory/)
      assert.match(yield* failure("x".repeat(300)), /ExecutionError the name .* is too long/)
      assert.match(yield* failure("a/".repeat(300)), /ExecutionError the name .* is too long/)
      assert.match(yield* failure("a\0b"), /PermissionDenied BadName/)
      assert.match(yield* failure("lone \uD800"), /PermissionDenied BadName/)
      assert.match(yield* failure(""), /PermissionDenied BadName/)
      assert.match(yield* failure("."), /is a directory, not a file/)
      assert.deepStrictEqual(fs.readdirSync(root).toSorted(), ["dir", "fifo", "file"])
    })
  )

  it.live(
    "makes no name that reads as another or as two, and leaves existing ones usable",
    () =>
      Effect.gen(function* () {
        const { at, read, root, workspace, write } = yield* open({ "plain.txt": "x", "dir/": "" })
        for (const character of [
          "\n",
          "\r",
          "\t",
          "\u001b",
          "\u007f",
          "\u009b",
          "\u2028",
          "\u202e",
          "\u2066",
          "\u200f"
        ]) {
          const name = `a${character}b`
          const attempts = [
            write.writeFile(name, bytes("x")),
            write.writeFile(`${name}/deep.txt`, bytes("x")),
            write.createDirectory(name),
            write.createDirectory(`dir/${name}/deep`),
            write.move("plain.txt", name),
            write.copy("plain.txt", `dir/${name}`),
            write.copy("dir", name)
          ]
          for (const attempt of attempts) {
            assert.match(
              words(yield* Effect.flip(attempt)),
              /PermissionDenied BadName: [^]* holds U\+[0-9A-F]{4}, which a new name may not/
            )
          }
          assert.deepStrictEqual(fs.readdirSync(root).toSorted(), ["dir", "plain.txt"])
          fs.writeFileSync(at(name), "there")
          yield* write.writeFile(name, bytes("changed"))
          assert.strictEqual(Buffer.from((yield* read.readFile(name, 100)).bytes).toString(), "changed")
          yield* write.move(name, "better.txt")
          fs.renameSync(at("better.txt"), at(name))
          yield* workspace.write([]).remove(name)
        }
        for (const name of ["übung.txt", "日本語", "a b.txt", "emoji 👩‍💻.md", "soft\u00adhyphen"]) {
          yield* write.writeFile(name, bytes("x"))
        }
      }),
    thoroughOnly
  )

  it.live.skipIf(!canMount)("leaves nothing behind on a disk that is full [needs root and mounts]", () =>
    Effect.gen(function* () {
      const { at, read, workspace, write } = yield* open({ "small/": "" })
      command("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", at("small")])
      yield* Effect.addFinalizer(() => Effect.sync(() => command("umount", [at("small")])))
      yield* write.writeFile("small/a.txt", bytes("old"))
      const error = yield* Effect.flip(write.writeFile("small/a.txt", new Uint8Array(1024 ** 2)))
      assert.match(words(error), /ExecutionError no space is left/)
      assert.deepStrictEqual(fs.readdirSync(at("small")), ["a.txt"])
      assert.strictEqual(fs.readFileSync(at("small/a.txt"), "utf8"), "old")
      assert.strictEqual((yield* read.info("small/a.txt")).bytes, 3)
      assert.isTrue(workspace.isWritable)
    })
  )

  it.live("refuses every change if names cannot be looked up in open directories, and still reads", () =>
    Effect.gen(function* () {
      const { at, outside, read, workspace, write } = yield* open(
        { "src/a.txt": "1", ".git/config": "" },
        { descriptorPlace: "/no/descriptors" }
      )
      fs.symlinkSync("src", at("inside"))
      fs.symlinkSync(outside, at("out"))
      assert.isFalse(workspace.isWritable)
      const changes = [
        write.writeFile("a.txt", bytes("x")),
        write.createDirectory("d"),
        write.move("src/a.txt", "b.txt"),
        write.copy("src/a.txt", "b.txt"),
        write.remove("src/a.txt")
      ]
      for (const change of changes) {
        assert.match(words(yield* Effect.flip(change)), /PermissionDenied ReadOnlyWorkspace: this platform/)
      }
      assert.strictEqual(Buffer.from((yield* read.readFile("inside/a.txt", 10)).bytes).toString(), "1")
      assert.match(words(yield* Effect.flip(read.readFile("out/secret", 10))), /SymlinkEscape/)
      assert.match(words(yield* Effect.flip(read.readFile("src/../../x", 10))), /PathEscape/)
    })
  )
})

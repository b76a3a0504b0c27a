/** A workspace that is a part of its repository, and has additional directories: one border around all of it. */
import { ProcessRunnerNode } from "@bough/sandbox"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Workspace } from "../src/index.ts"
import { canary, command, directories, put, words } from "./Scratch.ts"

const plain = { recursive: false, hidden: false, ignored: false, measure: false, limit: 100 }
const search = {
  path: ".",
  globs: [],
  literal: true,
  caseSensitive: true,
  contextLines: 0,
  limit: 100
}

/** A repository with the start folder `packages/app`, a library to read, one to write, and a secret beside them all. */
const monorepo = Effect.gen(function* () {
  const { base, outside, root } = yield* directories
  const [library, shared] = [path.join(base, "library"), path.join(base, "joint")]
  put(root, {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".gitignore": "dist/\n",
    "package.json": "{}",
    "packages/app/a.ts": "needle in app\n",
    "packages/app/.env": "needle",
    "packages/lib/b.ts": "needle in lib\n",
    "packages/lib/dist/c.ts": "needle\n"
  })
  put(library, { "d.ts": "needle in library\n", "sub/e.ts": "" })
  put(shared, { "f.ts": "needle in shared\n" })
  fs.symlinkSync("../lib/b.ts", path.join(root, "packages/app/link"))
  fs.symlinkSync(path.join(outside, "secret"), path.join(root, "packages/app/escape"))
  const workspace = yield* Workspace.make({
    root: path.join(root, "packages/app"),
    repository: root,
    additionalDirectories: [
      { path: library, writable: false },
      { path: shared, writable: true }
    ]
  }).pipe(Effect.provide(ProcessRunnerNode.layer))
  return { base, root, library, shared, workspace, read: workspace.read([]), write: workspace.write([]) }
})

const text = (read: Effect.Success<typeof monorepo>["read"], file: string) =>
  Effect.map(read.readFile(file, 1000), ({ bytes }) => new TextDecoder().decode(bytes))

describe("A workspace within its repository", () => {
  it.live("reads and writes all of the repository, by paths from the start folder", () =>
    Effect.gen(function* () {
      const { read, root, workspace, write } = yield* monorepo
      assert.strictEqual(workspace.root, path.join(root, "packages/app"))
      assert.strictEqual(yield* text(read, "a.ts"), "needle in app\n")
      assert.strictEqual(yield* text(read, "../lib/b.ts"), "needle in lib\n")
      assert.strictEqual(yield* text(read, path.join(root, "package.json")), "{}")
      assert.strictEqual(yield* text(read, "link"), "needle in lib\n")
      assert.strictEqual((yield* read.inspect("../lib/../app/a.ts")).path, "a.ts")
      assert.strictEqual((yield* read.inspect("link")).path, "../lib/b.ts")
      assert.strictEqual((yield* write.writeFile("../lib/new/x.ts", Buffer.from("x"))).path, "../lib/new/x.ts")
      assert.strictEqual(fs.readFileSync(path.join(root, "packages/lib/new/x.ts"), "utf8"), "x")
      yield* write.copy("../lib", "copied")
      assert.strictEqual(fs.readFileSync(path.join(root, "packages/app/copied/b.ts"), "utf8"), "needle in lib\n")
      yield* write.move("copied/b.ts", "../../moved.ts")
      assert.isTrue(fs.existsSync(path.join(root, "moved.ts")))
      yield* write.remove("../../moved.ts")
      assert.isFalse(fs.existsSync(path.join(root, "moved.ts")))
    })
  )

  it.live("lists and searches from the start folder on, and elsewhere on request", () =>
    Effect.gen(function* () {
      const { library, read } = yield* monorepo
      const listed = (place: string, recursive: boolean) =>
        Effect.map(read.list(place, { ...plain, recursive }), ({ items }) => items.map((item) => item.path))
      assert.deepStrictEqual(yield* listed(".", false), ["a.ts", "escape", "link"])
      assert.deepStrictEqual(yield* listed("../lib", false), ["../lib/b.ts"])
      assert.deepStrictEqual(yield* listed("../..", true), ["../../package.json", "a.ts", "../lib/b.ts"])
      assert.deepStrictEqual(
        yield* listed(library, true),
        ["d.ts", "sub/e.ts"].map((name) => path.join(library, name))
      )
      const hits = (options: object) =>
        Effect.map(read.search({ ...search, pattern: "needle", ...options }), ({ items }) =>
          items.map((hit) => hit.path).toSorted()
        )
      assert.deepStrictEqual(yield* hits({}), ["a.ts"])
      assert.deepStrictEqual(yield* hits({ path: "../.." }), ["../lib/b.ts", "a.ts"])
      assert.deepStrictEqual(yield* hits({ path: "..", globs: ["../lib/**"] }), ["../lib/b.ts"])
      assert.deepStrictEqual(yield* hits({ path: library, globs: ["*.ts"] }), [path.join(library, "d.ts")])
      assert.deepStrictEqual((yield* read.find("**/*.ts", "..", 10)).items, ["a.ts", "../lib/b.ts"])
    })
  )

  it.live("ends at the repository: nothing beside it is read or written, by path or link", () =>
    Effect.gen(function* () {
      const { base, read, write } = yield* monorepo
      for (const place of [
        "../../../outside/secret",
        path.join(base, "outside/secret"),
        "escape",
        "../../../../etc/passwd",
        "../../../root/../outside/secret",
        "../../../library/../outside/secret",
        path.join(base, "library/../outside/secret")
      ]) {
        const error = yield* Effect.flip(read.readFile(place, 1000))
        assert.match(words(error), /(?:Path|Symlink)Escape/u, place)
        assert.notInclude(words(error), canary)
        const refused = yield* Effect.flip(write.writeFile(place, Buffer.from("x")))
        assert.match(words(refused), /(?:Path|Symlink)Escape|ReadOnly/u, place)
      }
    })
  )

  it.live("protects the same names everywhere: version control, keys, secrets", () =>
    Effect.gen(function* () {
      const { library, read, root, write } = yield* monorepo
      for (const place of ["../../.git/config", path.join(root, ".git/hooks/x"), "../lib/.bough/x", "../id_rsa"]) {
        assert.include(words(yield* Effect.flip(write.writeFile(place, Buffer.from("x")))), "Protected", place)
      }
      assert.include(words(yield* Effect.flip(read.readFile("../app/.env", 100))), "SecretFile")
      put(library, { ".env": "x" })
      assert.include(words(yield* Effect.flip(read.readFile(path.join(library, ".env"), 100))), "SecretFile")
      for (const place of [".", "..", "../.."]) {
        assert.include(words(yield* Effect.flip(write.remove(place))), "Protected", place)
      }
    })
  )

  it.live("writes additional directories if they are writable, by relative paths too", () =>
    Effect.gen(function* () {
      const { library, read, shared, write } = yield* monorepo
      assert.strictEqual(yield* text(read, "../../../library/d.ts"), "needle in library\n")
      assert.strictEqual((yield* read.inspect("../../../library/d.ts")).path, path.join(library, "d.ts"))
      assert.strictEqual(
        (yield* write.writeFile("../../../joint/g.ts", Buffer.from("g"))).path,
        path.join(shared, "g.ts")
      )
      for (const change of [
        Effect.asVoid(write.writeFile(path.join(library, "d.ts"), Buffer.from("x"))),
        Effect.asVoid(write.remove(path.join(library, "d.ts"))),
        Effect.asVoid(write.createDirectory(path.join(library, "new")))
      ]) {
        assert.include(words(yield* Effect.flip(change)), "ReadOnlyWorkspace")
      }
      assert.include(words(yield* Effect.flip(write.move("a.ts", path.join(shared, "a.ts")))), "opened separately")
      yield* write.move(path.join(shared, "g.ts"), path.join(shared, "h.ts"))
      assert.isTrue(fs.existsSync(path.join(shared, "h.ts")))
    })
  )

  it.live("names its files that are not in the last commit", () =>
    Effect.gen(function* () {
      const { root, workspace } = yield* monorepo
      fs.rmSync(path.join(root, ".git"), { recursive: true })
      command("git", ["init", "-q"], root)
      command("git", ["add", "packages/lib/b.ts"], root)
      command("git", ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"], root)
      put(root, { "packages/lib/new.ts": "" })
      assert.deepStrictEqual(yield* workspace.repository([]).unsaved("../lib", 10), [
        "../lib/dist/c.ts",
        "../lib/new.ts"
      ])
    })
  )
})

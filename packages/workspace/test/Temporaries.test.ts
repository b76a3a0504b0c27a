/** Temporary files of a process that was killed are removed once the next one opens a workspace. */
import { ProcessIdentity } from "@bough/disk"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { bundled } from "../../../test/bundle.ts"
import { requires } from "../../../test/requirements.ts"
import { directories, open, put } from "./Scratch.ts"

const strace = requires("linux", "strace")
const program = await bundled(new URL("programs/change.ts", import.meta.url))
const name = `.bough-${"0123456789ab".repeat(2)}.tmp`

const temporaries = (root: string): ReadonlyArray<string> =>
  fs.readdirSync(root, { recursive: true, encoding: "utf8" }).filter((found) => found.endsWith(".tmp"))

const allIn = (root: string) => fs.readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted()

/** Kills the program at that system call. */
const killed = (root: string, lists: string, at: string): void => {
  const options = [
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    "-e",
    `trace=${at.split(":")[0]}`,
    "-e",
    `inject=${at.replace(":", ":signal=SIGKILL:when=")}`
  ]
  const { signal } = spawnSync("strace", [...options, process.execPath, program, root, lists], {
    timeout: 300_000,
    // Calls are counted by thread.
    env: { ...process.env, UV_THREADPOOL_SIZE: "1" }
  })
  assert.strictEqual(signal, "SIGKILL", at)
}

describe("temporary files", () => {
  // Filled, linked and not yet unlinked, and a half-finished copy of a directory.
  for (const at of ["fsync:2", "unlink:1", "fsync:9"]) {
    it.live.skipIf(strace.skip)(`of one killed at ${at} are removed by the next${strace.suffix}`, () =>
      Effect.gen(function* () {
        const { base, root } = yield* directories
        put(root, { "a.txt": "a", "folder/b.txt": "b", "folder/inner/c.txt": "c", [name]: "not listed" })
        const lists = path.join(base, "lists")
        killed(root, lists, at)
        assert.lengthOf(temporaries(root), 2)
        yield* Effect.scoped(open({}, { temporariesDirectory: lists }))
        assert.deepStrictEqual(temporaries(root), [name])
        assert.deepStrictEqual(fs.readdirSync(lists), [])
      })
    )
  }

  it.live("are removed when their process ends, with the list of them", () =>
    Effect.gen(function* () {
      const { base, root } = yield* directories
      const lists = path.join(base, "lists")
      put(root, { "a.txt": "a", "folder/b.txt": "b" })
      assert.strictEqual(spawnSync(process.execPath, [program, root, lists]).status, 0)
      assert.deepStrictEqual(fs.readdirSync(lists), [])
      assert.strictEqual(fs.statSync(lists).mode & 0o777, 0o700)
      assert.deepStrictEqual(allIn(root), [
        "a.txt",
        "deep",
        "deep/moved.txt",
        "deep/new.txt",
        "elsewhere",
        "folder",
        "folder/b.txt"
      ])
    })
  )

  it.live("stay if their process lives or cannot be looked up, and if a list names another file", () =>
    Effect.gen(function* () {
      const { base, outside, root } = yield* directories
      const lists = path.join(base, "lists")
      fs.mkdirSync(lists)
      const own = yield* ProcessIdentity.own
      const dead = { ...own, start: "1" }
      put(root, { [`alive/${name}`]: "", [`other/${name}`]: "", [`dead/${name}/a`]: "", "kept.txt": "" })
      const list = (file: string, identity: ProcessIdentity.ProcessIdentity | null, paths: ReadonlyArray<string>) => {
        const lines = [
          identity === null ? "somebody" : ProcessIdentity.format(identity),
          ...paths.map((at) => JSON.stringify(at))
        ]
        fs.writeFileSync(path.join(lists, `${file}.list`), `${lines.join("\n")}\n`)
      }
      list("alive", own, [path.join(root, "alive", name)])
      list("other", { ...own, namespace: "pid:[1]" }, [path.join(root, "other", name)])
      list("foreign", null, [path.join(root, "kept.txt")])
      list("dead", dead, [
        path.join(root, "kept.txt"),
        path.join(outside, "secret"),
        path.join(root, "dead", name),
        `${root}/../outside`
      ])
      yield* open({}, { temporariesDirectory: lists })
      assert.deepStrictEqual(allIn(root), ["alive", `alive/${name}`, "dead", "kept.txt", "other", `other/${name}`])
      assert.isTrue(fs.existsSync(path.join(outside, "secret")))
      assert.deepStrictEqual(fs.readdirSync(lists).toSorted(), ["alive.list", "foreign.list", "other.list"])
    })
  )
})

/** Memory files survive a power cut, and are read and written through no link. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as DurableFiles from "../../../test/durableFiles.ts"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { FileFolders } from "../src/index.ts"
import { temporaryDirectory } from "./World.ts"

const strace = requires("linux", "strace")
const program = fileURLToPath(new URL("programs/writeFiles.ts", import.meta.url))

/** SQLite's file for the lock of other processes is empty. */
const isLock = (line: string): boolean => line.includes("files.lock")

const traced = Effect.map(temporaryDirectory, (base) => {
  const directory = join(base, "memory")
  mkdirSync(directory)
  const calls = DurableFiles.trace(join(base, "logs"), [program, directory])
  const left = (text: string) =>
    DurableFiles.undurable(directory, DurableFiles.untilPrinted(calls, text)).filter((line) => !isLock(line))
  return { base, directory, calls, left }
})

describe.skipIf(strace.skip)(`Memory files${strace.suffix}`, () => {
  it.live("are durable when they are written, staged, and committed", () =>
    Effect.gen(function* () {
      const { directory, left } = yield* traced
      for (const done of ["written", "held", "kept"]) assert.deepStrictEqual(left(done), [], done)
      const written = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".md")
      )
      assert.deepStrictEqual(written.map((name) => basename(name)).toSorted(), ["people.md", "plans.md"])
    })
  )

  it.live(
    "that are committed are durable before a staged file is removed",
    () =>
      Effect.gen(function* () {
        const { calls, directory } = yield* traced
        const decided = calls.findIndex(
          ({ name, paths }) => name === "rename" && paths[1].startsWith(FileFolders.committedFolder(directory))
        )
        const changed = calls.findIndex(
          ({ name, paths }, index) => index > decided && name === "rename" && paths[1].endsWith("facts/people.md")
        )
        assert.isAbove(decided, 0)
        assert.isAbove(changed, decided)
        const before = calls.slice(0, changed)
        const names = DurableFiles.undurable(directory, before).filter((line) => line.includes("/.kept"))
        assert.deepStrictEqual(names, [])
        // The removal of the staged file is as durable.
        const synced = before
          .slice(decided)
          .filter(({ name }) => name === "fsync")
          .flatMap(({ paths }) => paths)
        assert.includeMembers(synced, [
          FileFolders.committedFolder(directory),
          FileFolders.stagedFolder(directory),
          directory
        ])
      }),
    thoroughOnly
  )

  it.live(
    "leave nothing half-written when the disk fails",
    () =>
      Effect.gen(function* () {
        const { base, calls } = yield* traced
        const syncs = calls.filter(({ name }) => name === "fsync")
        const first = syncs.findIndex(({ paths }) => paths[0].endsWith(".new")) + 1
        const directory = join(base, "another")
        mkdirSync(directory)
        const options = [
          "--seccomp-bpf",
          "-f",
          "-qq",
          "-o",
          "/dev/null",
          "-e",
          "trace=fsync",
          "-e",
          `inject=fsync:error=EIO:when=${first}`
        ]
        const { stdout } = spawnSync("strace", [...options, process.execPath, program, directory], { encoding: "utf8" })
        assert.strictEqual(stdout, "")
        const left = readdirSync(directory, { recursive: true, encoding: "utf8" })
        assert.deepStrictEqual(
          left.filter((name) => /\.(md|new)$/.test(name)),
          []
        )
      }),
    thoroughOnly
  )

  it.live(
    "are opened through no link, and created if they do not exist",
    () =>
      Effect.gen(function* () {
        const { calls } = yield* traced
        const opened = calls.filter(({ name, paths }) => name.startsWith("open") && /\.(md|new)$/.test(paths[0] ?? ""))
        assert.isNotEmpty(opened)
        for (const { line } of opened) assert.match(line, /O_NOFOLLOW|O_CREAT\|O_EXCL/, line)
      }),
    thoroughOnly
  )
})

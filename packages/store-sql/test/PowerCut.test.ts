/** A power cut: the file system stops with all that was not synced forgotten, the very file's name included. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { SessionStoreSql } from "../src/index.ts"
import * as Child from "./child.ts"
import { crashText } from "./crashText.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const root = requires("linux", "root")

/** EXT4_IOC_SHUTDOWN without flushing its log. */
const cut = `import os, sys, fcntl, struct
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack("I", 2))`

/**
 * Stops a process outside of any system call. A sync that the cut came upon may return as if it had been made, and its
 * commit be acknowledged: that is the kernel's way of cutting, not a disk's.
 */
const stopped = (pid: number) =>
  Effect.sync(() => process.kill(pid, "SIGSTOP")).pipe(
    Effect.andThen(
      Effect.sync(() => /\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))).pipe(
        Effect.repeat({ until: (isStopped) => isStopped, schedule: Schedule.spaced("5 millis") })
      )
    )
  )

const succeeds = (command: string, ...args: ReadonlyArray<string>): boolean => spawnSync(command, args).status === 0

/** An ext4 of its own in a file, or what such a file held when the power was cut. Null: nobody may mount it here. */
const disk = Effect.fnUntraced(function* (content: string | null) {
  const directory = yield* temporaryDirectory
  const [image, mounted] = [join(directory, "image"), join(directory, "mounted")]
  if (content === null) {
    writeFileSync(image, "")
    truncateSync(image, 64 * 1024 * 1024)
    if (!succeeds("mkfs.ext4", "-q", "-F", image)) return null
  } else {
    copyFileSync(content, image)
  }
  mkdirSync(mounted)
  if (!succeeds("mount", "-o", "loop", image, mounted)) return null
  yield* Effect.addFinalizer(() => Effect.sync(() => void succeeds("umount", "-l", mounted)))
  return { image, mounted }
})

describe.skipIf(root.skip)(`a power cut${root.suffix}`, { timeout: 120_000 }, () => {
  for (const { acknowledged, durability } of [
    { durability: "Full", acknowledged: 3 },
    { durability: "Full", acknowledged: 150 },
    { durability: "Alternating", acknowledged: 150 },
    { durability: "Relaxed", acknowledged: 150 }
  ] as const) {
    it.live(
      `after ${acknowledged} ${durability} commits leaves a prefix, of Full ones all that was acknowledged`,
      (test) =>
        Effect.gen(function* () {
          const drive = yield* disk(null)
          if (drive === null || !succeeds("python3", "--version")) {
            return test.skip("needs the right to mount, and python3")
          }
          const home = join(drive.mounted, "home")
          const child = yield* Child.start("appendForever", [home, durability, "1000000"])
          for (let count = 0; count < acknowledged; count++) yield* child.line
          yield* stopped(child.pid)
          assert.isTrue(succeeds("python3", "-c", cut, drive.mounted), "the disk was not cut")
          process.kill(child.pid, "SIGCONT")
          const rest = yield* Child.lines(child)
          const heard = acknowledged + rest.filter((line) => line.startsWith("acknowledged")).length
          assert.match(rest.at(-1) ?? "", /^failed again StoreFailed the disk failed/)
          // A copy: another process may still hold the file system that was cut.
          const after = yield* disk(drive.image)
          if (after === null) return assert.fail("the disk did not come back")
          const entries = yield* Effect.provide(
            Effect.flatMap(SessionStore.SessionStore, (store) =>
              store.entries(Session.SessionId.make("crash"), 0, 100_000)
            ),
            SessionStoreSql.layer({ directory: join(after.mounted, "home") })
          )
          // Alternating: entries of odd places were Full, and took the Relaxed ones before them along.
          const promised = { Full: heard, Alternating: heard - (heard % 2), Relaxed: 0 }[durability]
          assert.isAtLeast(entries.length, promised)
          entries.forEach(({ body }, seq) =>
            assert.strictEqual(body._tag === "UserMessage" ? body.text : "", seq === 0 ? "" : crashText(seq))
          )
        })
    )
  }
})

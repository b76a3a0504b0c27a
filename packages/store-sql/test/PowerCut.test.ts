/** A power cut: the file system stops with all that was not synced forgotten, the very file's name included. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, truncateSync, writeFileSync } from "node:fs"
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

const succeeds = (command: string, ...args: ReadonlyArray<string>): boolean => spawnSync(command, args).status === 0

/** An ext4 of its own in a file. Null: this machine lets nobody make, mount or cut one. */
const disk = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const [image, mounted] = [join(directory, "image"), join(directory, "mounted")]
  writeFileSync(image, "")
  truncateSync(image, 64 * 1024 * 1024)
  mkdirSync(mounted)
  const mount = () => succeeds("mount", "-o", "loop", image, mounted)
  const usable = succeeds("mkfs.ext4", "-q", "-F", image) && succeeds("python3", "--version") && mount()
  yield* Effect.addFinalizer(() => Effect.sync(() => void succeeds("umount", "-l", mounted)))
  return usable ? { mounted, mount, cut: () => succeeds("python3", "-c", cut, mounted) } : null
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
          const drive = yield* disk
          if (drive === null) return test.skip("needs the right to mount")
          const home = join(drive.mounted, "home")
          const child = yield* Child.start("appendForever", [home, durability, "1000000"])
          for (let count = 0; count < acknowledged; count++) yield* child.line
          assert.isTrue(drive.cut(), "the disk was not cut")
          const rest = yield* Child.lines(child)
          const heard = acknowledged + rest.filter((line) => line.startsWith("acknowledged")).length
          assert.match(rest.at(-1) ?? "", /^failed again StoreFailed the disk failed/)
          assert.isTrue(succeeds("umount", drive.mounted) && drive.mount(), "the disk did not come back")
          const entries = yield* Effect.provide(
            Effect.flatMap(SessionStore.SessionStore, (store) =>
              store.entries(Session.SessionId.make("crash"), 0, 100_000)
            ),
            SessionStoreSql.layer({ directory: home })
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

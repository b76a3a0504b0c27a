/** File systems of their own, to fill, to lock, or to cut the power of. Null: no user may mount one on this machine. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-disk-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const succeeds = (command: string, ...args: ReadonlyArray<string>): boolean => spawnSync(command, args).status === 0

/** In memory, with the options of tmpfs, such as its size. */
export const small = (options: string) =>
  Effect.flatMap(temporaryDirectory, (directory) =>
    Effect.acquireRelease(
      Effect.sync(() => (succeeds("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory) ? directory : null)),
      (mounted) => Effect.sync(() => mounted !== null && succeeds("umount", "-l", mounted))
    )
  )

export const remount = (directory: string, options: string): void =>
  void spawnSync("mount", ["-o", `remount,${options}`, directory])

export interface Cuttable {
  readonly image: string
  readonly mounted: string
}

/** An ext4 in a file, empty, or with the content of such a file when its power was cut. */
export const cuttable = Effect.fnUntraced(function* (content: string | null) {
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
  if (!succeeds("python3", "--version") || !succeeds("mount", "-o", "loop", image, mounted)) return null
  yield* Effect.addFinalizer(() => Effect.sync(() => void succeeds("umount", "-l", mounted)))
  return { image, mounted } satisfies Cuttable
})

/** EXT4_IOC_SHUTDOWN without flushing its log. */
const shutdown = `import os, sys, fcntl, struct
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack("I", 2))`

/** Cuts the power under a process that writes: data that was not synced is lost, and every further call fails. */
export const cut = Effect.fnUntraced(function* ({ mounted }: Cuttable, pid: number) {
  yield* stop(pid)
  if (!succeeds("python3", "-c", shutdown, mounted)) return yield* Effect.die(new Error("the disk was not cut"))
  process.kill(pid, "SIGCONT")
})

/**
 * Stops a process outside of any system call. A sync during the cut may return as if it had been made, and its commit
 * be acknowledged: that is the kernel's way of cutting, not a disk's.
 */
export const stop = (pid: number) =>
  Effect.sync(() => process.kill(pid, "SIGSTOP")).pipe(
    Effect.andThen(
      Effect.sync(() => /\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))).pipe(
        Effect.repeat({ until: (isStopped) => isStopped, schedule: Schedule.spaced("5 millis") })
      )
    )
  )

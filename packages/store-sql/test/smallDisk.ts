/** A file system of its own, to fill, to lock or to run out of names. Null: this machine lets nobody mount one. */
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { temporaryDirectory } from "./temporaryDirectory.ts"

export const smallDisk = (options: string) =>
  Effect.flatMap(temporaryDirectory, (directory) =>
    Effect.acquireRelease(
      Effect.sync(() =>
        spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", directory]).status === 0 ? directory : null
      ),
      (mounted) => Effect.sync(() => mounted !== null && spawnSync("umount", ["-l", mounted]))
    )
  )

export const remount = (directory: string, options: string): void =>
  void spawnSync("mount", ["-o", `remount,${options}`, directory])

/** Makes a write survive a power cut. */
import type { SystemError } from "@bough/disk"
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import type { Directory } from "./root.ts"
import { call, report, wait } from "./systemCall.ts"

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = fs.constants

/** Writes all bytes from `position` on. */
export const writeAll = Effect.fnUntraced(function* (
  fd: number,
  bytes: Uint8Array,
  position: number
): Effect.fn.Return<void, SystemError.SystemError> {
  for (let written = 0; written < bytes.length;) {
    const from = written
    written += yield* wait<number>((done) => fs.write(fd, bytes, from, bytes.length - from, position + from, done))
  }
})

/** Makes the entries of the directory durable. */
export const syncDirectory = (directory: Directory, path: string): Effect.Effect<void, ToolError.ToolError> =>
  Effect.acquireUseRelease(
    call(() => fs.openSync(`${directory.prefix}.`, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)),
    (fd) => wait<void>((done) => fs.fsync(fd, (error) => done(error))),
    (fd) => Effect.sync(() => fs.closeSync(fd))
  ).pipe(
    // Some file systems cannot sync directories.
    Effect.catchTag("SystemError", (error) =>
      error.code === "EINVAL" || error.code === "ENOTSUP" ? Effect.void : Effect.fail(report(path)(error))
    )
  )

/** Writes the files of an export: all of them are new, and none remains unless all are complete. */
import { Directory, SystemError } from "@bough/disk"
import { Export } from "@bough/receipts"
import * as Effect from "effect/Effect"
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { failure, type CliFailure, usage } from "../CliFailure.ts"

interface PendingExport {
  readonly finish: () => void
  readonly discard: () => void
}

interface AppendableFile extends PendingExport {
  readonly add: (text: string) => void
}

interface Outputs extends PendingExport {
  readonly add: (digest: string, bytes: Uint8Array) => void
}

export interface Files {
  readonly journal: AppendableFile
  readonly replay: AppendableFile
  readonly receipt: AppendableFile
  readonly outputs: Outputs
  /** Writes the file, or fails with the reason. */
  readonly attempt: <A>(work: () => A) => Effect.Effect<A, CliFailure>
}

/** `to`: the directory in the user's notation. The files exist only if `write` has succeeded. */
export const withExportFolder = <A, E, R>(
  directory: string,
  to: string,
  write: (files: Files) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | CliFailure, R> =>
  Effect.acquireUseRelease(
    begin(directory, to),
    ({ begun, files }) => Effect.tap(write(files), () => attempt(to, () => finish(directory, begun))),
    ({ begun }, exit) => (exit._tag === "Success" ? Effect.void : discard(begun))
  )

/** Syncs the contents first, then the directory. */
const finish = (directory: string, exports: ReadonlyArray<PendingExport>): void => {
  for (const receipts of exports) receipts.finish()
  Directory.sync(directory)
}

const discard = (exports: ReadonlyArray<PendingExport>): Effect.Effect<void> =>
  Effect.sync(() => exports.forEach((one) => one.discard()))

const begin = (directory: string, to: string) =>
  Effect.suspend(() => {
    const exports: Array<PendingExport> = []
    const track = <One extends PendingExport>(one: One): One => {
      exports.push(one)
      return one
    }
    const file = (name: string): AppendableFile => track(createFile(join(directory, name)))
    return attempt(to, () => {
      Directory.make(directory)
      const files: Files = {
        journal: file(Export.fileNames.journal),
        replay: file(Export.fileNames.replay),
        receipt: file(Export.fileNames.receipt),
        outputs: track(folder(join(directory, Export.outputsName))),
        attempt: (work) => attempt(to, work)
      }
      return { begun: exports, files }
    }).pipe(Effect.tapError(() => discard(exports)))
  })

const pieceLength = 64 * 1024

/** Creates a file that only its owner may read. */
const createFile = (path: string): AppendableFile => {
  const file = openSync(path, "wx", 0o600)
  let buffered = ""
  const flush = (): void => {
    const bytes = Buffer.from(buffered)
    buffered = ""
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
  }
  return {
    add: (text) => {
      buffered += text
      if (buffered.length >= pieceLength) flush()
    },
    finish: () => {
      flush()
      fsyncSync(file)
      closeSync(file)
    },
    discard: () => {
      rmSync(path, { force: true })
    }
  }
}

/** Creates a directory of full outputs, each written once. */
const folder = (path: string): Outputs => {
  mkdirSync(path, { mode: 0o700 })
  const written = new Set<string>()
  return {
    add: (digest, bytes) => {
      if (written.has(digest)) return
      written.add(digest)
      writeFileSync(join(path, Export.outputFile(digest)), bytes, { mode: 0o600, flag: "wx", flush: true })
    },
    finish: () => {
      Directory.sync(path)
    },
    discard: () => {
      rmSync(path, { recursive: true, force: true })
    }
  }
}

const attempt = <A>(to: string, work: () => A): Effect.Effect<A, CliFailure> =>
  Effect.try({
    try: work,
    catch: (cause) =>
      SystemError.codeOf(cause) === "EEXIST"
        ? usage(`${to} already contains an export`, "choose another directory; nothing was changed")
        : failure(`cannot write to ${to}: ${SystemError.reason(cause)}`, "choose another directory with --to", cause)
  })

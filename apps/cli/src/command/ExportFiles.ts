/** `sessions export --to DIR`: a session and all below it as files that can be verified without the database. */
import { Directory, SystemError } from "@bough/disk"
import { Export } from "@bough/receipts"
import { BlobStore, SessionStore, TreeEntries } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs"
import { join, resolve } from "node:path"
import * as SettingsFile from "../config/Settings.ts"
import type { Program } from "../Program.ts"
import { failed, type Stop, usage } from "../Stop.ts"
import * as OpenSession from "./OpenSession.ts"
import type { Common } from "./Options.ts"
import { withStore } from "./WithStore.ts"

const { journal, receipt, replay } = Export.fileNames

export const write = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { id, to }: { readonly id: string; readonly to: string }
) {
  const directory = resolve(yield* SettingsFile.workspaceRoot(program.surroundings, common.cwd), to)
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false) {
    return yield* usage(`${to} is no directory`, "--to takes one, or the name of a new one")
  }
  const text = yield* withStore(
    program,
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const blobs = yield* BlobStore.BlobStore
      const sessionId = yield* OpenSession.byId(id)
      return yield* Effect.acquireUseRelease(
        begin(directory, to),
        (files) =>
          Effect.gen(function* () {
            const state = Export.empty()
            yield* TreeEntries.forEach(
              store,
              sessionId,
              Effect.fnUntraced(function* (entry) {
                const added = Export.append(state, entry)
                yield* attempt(to, () => {
                  files.journal.add(added.journal)
                  if (added.replay !== null) files.replay.add(added.replay)
                })
                const digest = added.call === null ? null : Export.outputOf(added.call)
                // One that is gone from the store is gone from the export, where `verify` names it.
                const bytes = digest === null ? null : yield* blobs.get(digest)
                if (digest !== null && bytes !== null) yield* attempt(to, () => files.outputs.add(digest, bytes))
              })
            )
            yield* attempt(to, () => {
              // Last: without it nothing passes for a whole export.
              files.receipt.add(Export.end(state) ?? "")
              for (const file of files.all) file.finish()
            })
            return `${sessionId}: ${state.lines} entries`
          }),
        (files, exit) =>
          exit._tag === "Success" ? Effect.void : Effect.sync(() => files.all.forEach((file) => file.discard()))
      )
    })
  )
  program.output.note(`${text} in ${to}; ${program.name} verify ${to} checks them`)
})

interface Begun {
  readonly finish: () => void
  readonly discard: () => void
}

interface Growing extends Begun {
  readonly add: (text: string) => void
}

const begin = (directory: string, to: string) =>
  Effect.suspend(() => {
    const begun: Array<Begun> = []
    const file = (name: string): Growing => {
      const growing = grow(join(directory, name))
      begun.push(growing)
      return growing
    }
    return attempt(to, () => {
      Directory.make(directory)
      const texts = { journal: file(journal), replay: file(replay), receipt: file(receipt) }
      const outputs = folder(join(directory, Export.outputsName))
      begun.push(outputs)
      return { ...texts, outputs, all: begun }
    }).pipe(Effect.tapError(() => Effect.sync(() => begun.forEach(({ discard }) => discard()))))
  })

const pieceLength = 64 * 1024

/** A new file, for its owner's eyes. */
const grow = (path: string): Growing => {
  const file = openSync(path, "wx", 0o600)
  let held = ""
  const flush = (): void => {
    const bytes = Buffer.from(held)
    held = ""
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
  }
  return {
    add: (text) => {
      held += text
      if (held.length >= pieceLength) flush()
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

/** A new directory of whole outputs, each once. */
const folder = (path: string) => {
  mkdirSync(path, { mode: 0o700 })
  const written = new Set<string>()
  return {
    add: (digest: string, bytes: Uint8Array) => {
      if (written.has(digest)) return
      written.add(digest)
      writeFileSync(join(path, Export.outputFile(digest)), bytes, { mode: 0o600, flag: "wx", flush: true })
    },
    finish: () => {
      const directory = openSync(path, "r")
      fsyncSync(directory)
      closeSync(directory)
    },
    discard: () => {
      rmSync(path, { recursive: true, force: true })
    }
  }
}

const attempt = <A>(to: string, work: () => A): Effect.Effect<A, Stop> =>
  Effect.try({
    try: work,
    catch: (cause) =>
      codeOf(cause) === "EEXIST"
        ? usage(`there is an export in ${to} already`, "name another directory; nothing in it was changed")
        : failed(`cannot write to ${to}: ${SystemError.reason(cause)}`, "--to takes another directory", cause)
  })

const codeOf = (cause: unknown): unknown => (cause instanceof Error && "code" in cause ? cause.code : null)

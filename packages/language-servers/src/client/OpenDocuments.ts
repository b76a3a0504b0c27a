/**
 * The documents that are open in a server: opened, updated by version, and closed when they are deleted or when too
 * many are open.
 */
import type { ToolError } from "@bough/protocol"
import type { WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { languageIdOf } from "../ServerConfig.ts"
import type { Rpc } from "./Rpc.ts"
import type { WorkspacePaths } from "./WorkspacePaths.ts"

type Reader = WorkspaceRead.WorkspaceRead["Service"]

const maxDocumentBytes = 4 * 1024 * 1024
/** The maximum number of open documents; beyond it, the least recently used documents are closed. */
const maxOpen = 64

interface OpenDocument {
  readonly uri: string
  readonly version: number
  readonly text: string
  readonly digest: string
  /** The size and modification time of the file when it was read. */
  readonly seen: string
}

export interface OpenDocuments {
  /**
   * Sends the server the current text of a file, and returns the text. Other open documents that changed meanwhile are
   * updated too.
   */
  readonly sync: (read: Reader, path: string) => Effect.Effect<OpenDocument, ToolError.ToolError>
  /** Notifies the server of files that were written or deleted; for open files, the text is sent too. */
  readonly written: (read: Reader, paths: ReadonlyArray<string>) => Effect.Effect<void>
  readonly isOpen: (path: string) => boolean
}

const created = 1
const changed = 2
const deleted = 3

export interface OpenDocumentsOptions {
  readonly rpc: Pick<Rpc, "notify">
  readonly paths: WorkspacePaths
  /** Called just before a new text of a file is sent to the server. */
  readonly onChange: (path: string) => void
}

export const make = ({ onChange, paths, rpc }: OpenDocumentsOptions): OpenDocuments => {
  const open = new Map<string, OpenDocument>()
  const lock = Semaphore.makeUnsafe(1)

  const close = (path: string, { uri }: OpenDocument): void => {
    open.delete(path)
    rpc.notify("textDocument/didClose", { textDocument: { uri } })
  }

  const update = Effect.fnUntraced(function* (read: Reader, path: string) {
    const known = open.get(path)
    const { bytes: size, modifiedAtMillis } = yield* read.info(path)
    const seen = `${size} ${modifiedAtMillis}`
    const { bytes, digest } = yield* read.readFile(path, maxDocumentBytes)
    if (known !== undefined && known.digest === digest) {
      const same = { ...known, seen }
      open.set(path, same)
      return same
    }
    const text = new TextDecoder().decode(bytes)
    const uri = known?.uri ?? paths.toUri(path)
    const version = (known?.version ?? 0) + 1
    const document: OpenDocument = { uri, version, text, digest, seen }
    open.delete(path)
    open.set(path, document)
    onChange(path)
    if (known === undefined) {
      rpc.notify("textDocument/didOpen", { textDocument: { uri, languageId: languageIdOf(path), version, text } })
    } else {
      rpc.notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] })
      rpc.notify("textDocument/didSave", { textDocument: { uri } })
    }
    for (const [oldest, other] of open) {
      if (open.size <= maxOpen) break
      close(oldest, other)
    }
    return document
  })

  /** Updates open documents that a command or a user has changed. A file that cannot be read is closed. */
  const refresh = (read: Reader, except: string) =>
    Effect.forEach(
      [...open].filter(([path]) => path !== except),
      ([path, document]) =>
        read.info(path).pipe(
          Effect.flatMap(({ bytes, modifiedAtMillis }) =>
            `${bytes} ${modifiedAtMillis}` === document.seen ? Effect.void : Effect.asVoid(update(read, path))
          ),
          Effect.catch(() => Effect.sync(() => close(path, document)))
        ),
      { discard: true }
    )

  return {
    sync: (read, path) => lock.withPermit(Effect.andThen(refresh(read, path), update(read, path))),
    written: (read, written) =>
      lock.withPermit(
        Effect.gen(function* () {
          const events: Array<{ readonly uri: string; readonly type: number }> = []
          for (const path of written) {
            const exists = yield* Effect.match(read.info(path), { onSuccess: () => true, onFailure: () => false })
            const document = open.get(path)
            const uri = paths.toUri(path)
            // An unopened file may be new or changed, so both events are sent; the server only reads the file once more
            // for each.
            const types = exists ? (document === undefined ? [created, changed] : [changed]) : [deleted]
            events.push(...types.map((type) => ({ uri, type })))
            if (document === undefined) continue
            if (exists) yield* Effect.ignore(update(read, path))
            else close(path, document)
          }
          if (events.length > 0) rpc.notify("workspace/didChangeWatchedFiles", { changes: events })
        })
      ),
    isOpen: (path) => open.has(path)
  }
}

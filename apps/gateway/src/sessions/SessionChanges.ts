/** The changed files of a session, from the states of its workspace that its calls recorded. */
import { Redaction } from "@bough/dispatch"
import type { Changes } from "@bough/gateway-api"
import { Limits } from "@bough/gateway-api"
import type { AgentHost } from "@bough/host"
import * as Settings from "@bough/host/config/Settings"
import * as FileDiff from "@bough/host/session/FileDiff"
import * as SessionCapabilities from "@bough/host/session/SessionCapabilities"
import * as SessionUndo from "@bough/host/session/SessionUndo"
import type { Session } from "@bough/protocol"
import type { Undo } from "@bough/snapshots"
import * as Effect from "effect/Effect"

export interface ChangesQuery {
  /** Changes are shown from this turn of the Main on. */
  readonly turn: number
  readonly limit: number
  /** Null: the first page. */
  readonly after: ChangesCursor | null
}

/**
 * The end of a page. `skip`: the number of changed files and folders before the next page. `throughCommit`: the newest
 * commit of the journal that any page shows, so that all pages show the same state.
 */
export interface ChangesCursor {
  readonly skip: number
  readonly throughCommit: number
}

const cut = (text: string): { readonly diff: string; readonly truncated: boolean } => {
  const { diffCharacters } = Limits.limits
  if (text.length <= diffCharacters) return { diff: text, truncated: false }
  return { diff: text.slice(0, text.lastIndexOf("\n", diffCharacters) + 1), truncated: true }
}

const view = (file: Undo.FileChange, redact: (text: string) => string): Changes.ChangedFile => ({
  path: file.path,
  change: file.before === null ? "added" : file.after === null ? "deleted" : "modified",
  bytesBefore: file.before?.length ?? null,
  bytesAfter: file.after?.length ?? null,
  note: file.note,
  ...cut(FileDiff.lines({ ...file, note: null }, redact).join("\n"))
})

/** Reads one page; `next` null: it is the last one. */
export const read = Effect.fnUntraced(function* (
  { environment }: AgentHost.AgentHost,
  { treeId, workspaceRoot }: Session.Summary,
  query: ChangesQuery
) {
  const settings = yield* Settings.loadForUndo(environment)
  // A session of the gateway works in its folder alone, also within a repository.
  const confined: SessionUndo.UndoSettings = { ...settings, workspaceAround: Effect.succeed }
  const outside = SessionCapabilities.ownPlaces(settings)
  const undoable = yield* SessionUndo.open(confined, { requested: treeId, workspaceRoot, outside })
  const throughCommit = query.after?.throughCommit ?? undoable.changes.at(-1)?.commit ?? 0
  const calls = undoable.changes.filter(({ commit }) => commit <= throughCommit)
  const { redact } = Redaction.make(settings.secrets)
  const items: Array<Changes.ChangedFile> = []
  let skip = query.after?.skip ?? 0
  if (calls.length === 0) return { items, next: null }
  // Files are read one at a time, so that only one file's content is in memory.
  const changeAt = (at: number) =>
    undoable.snapshots
      .diff({ session: treeId, calls, turn: query.turn, page: { skip: at, limit: 1 } })
      .pipe(Effect.catchTag("NothingToRestore", () => Effect.succeed([])))
  while (true) {
    const [file] = yield* changeAt(skip)
    if (file === undefined) return { items, next: null }
    // Folders are omitted, because a created or removed folder is shown by its files.
    const isFile = file.before !== null || file.after !== null
    if (isFile && items.length === query.limit) return { items, next: { skip, throughCommit } }
    if (isFile) items.push(view(file, redact))
    skip += 1
  }
}, Effect.scoped)

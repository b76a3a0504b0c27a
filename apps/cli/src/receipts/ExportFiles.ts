/**
 * `sessions export --to DIR`: writes a session and its descendants as files that can be verified without the database.
 */
import * as SettingsFile from "@bough/host/config/Settings"
import * as FindSession from "@bough/host/session/FindSession"
import type { Entry, Session } from "@bough/protocol"
import { Export } from "@bough/receipts"
import { BlobStore, SessionStore, TreeEntries } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { usage } from "../CliFailure.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import type { Program } from "../Program.ts"
import { withStore } from "../session/WithStore.ts"
import * as ExportFolder from "./ExportFolder.ts"

export const write = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { id, to }: { readonly id: string; readonly to: string }
) {
  const directory = resolve(yield* SettingsFile.workspaceRoot(program.environment, common.cwd), to)
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false) {
    return yield* usage(`${to} is not a directory`, "give --to a directory, or the name of a new one")
  }
  const text = yield* withStore(
    program,
    Effect.gen(function* () {
      const sessionId = yield* FindSession.byId(id)
      const lines = yield* ExportFolder.withExportFolder(directory, to, (files) => writeTree(files, sessionId))
      return `${sessionId}: ${lines} entries`
    })
  )
  program.output.note(`${text} in ${to}; "${program.name} verify ${to}" verifies them`)
})

/** The number of entries. */
const writeTree = Effect.fnUntraced(function* (files: ExportFolder.Files, sessionId: Session.SessionId) {
  const state = Export.empty()
  const writeEntry = writingEntries(files, state, yield* BlobStore.BlobStore)
  yield* TreeEntries.forEach(yield* SessionStore.SessionStore, sessionId, writeEntry)
  // Written last: a folder without it is not a complete export.
  yield* files.attempt(() => files.receipt.add(Export.end(state) ?? ""))
  return state.lines
})

const writingEntries = (files: ExportFolder.Files, state: Export.ExportState, blobs: BlobStore.BlobStore["Service"]) =>
  Effect.fnUntraced(function* (entry: Entry.Entry) {
    const { call, journal, replay } = Export.append(state, entry)
    yield* files.attempt(() => {
      files.journal.add(journal)
      if (replay !== null) files.replay.add(replay)
    })
    for (const digest of call === null ? [] : Export.outputsOf(call)) {
      const bytes = yield* blobs.get(digest)
      // A blob that is missing from the store is also missing from the export, where `verify` reports it.
      if (bytes !== null) yield* files.attempt(() => files.outputs.add(digest, bytes))
    }
  })

/** Changes of memory are staged until their turn or reflection ends, and then committed or discarded. */
import * as FileFolders from "@bough/memory/FileFolders"
import type { SessionStore } from "@bough/runtime"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join } from "node:path"

/**
 * The key under which a tree stages the changes of all its sessions: changes by Branches are committed with the turn of
 * the Main. A reflection has its own key.
 */
export type StagingPhase = "turn" | "reflection"

export const stagingKey = (main: string, work: StagingPhase): string => `${main}/${work}`

/** The folder of memory files. */
export const filesFolder = (dataDirectory: string): string => FileFolders.files(join(dataDirectory, "memory"))

/**
 * Commits or discards the staged notes and files. After a failure the changes stay staged: no other session sees them,
 * and the next turn commits or discards them.
 */
export const endStaging = (
  dataDirectory: string,
  notes: NoteStore.NoteStore["Service"],
  { how, key }: { readonly how: "Keep" | "Drop"; readonly key: string }
): Effect.Effect<void> => {
  const files = filesFolder(dataDirectory)
  const settleFiles = Effect.suspend(() =>
    existsSync(FileFolders.stagedFolder(files))
      ? Effect.flatMap(
          Effect.promise(() => import("./MemoryLibrary.ts")),
          (library) => library.settleFiles(files, key, how)
        )
      : Effect.void
  )
  return Effect.andThen(Effect.ignore(notes.settle(key, how)), Effect.ignore(settleFiles))
}

/**
 * Drops staged memory files of sessions that no longer exist; after a failure the next call drops them. Notes are rows
 * of the session database, which removes them with their session.
 */
export const dropAbandoned = (
  dataDirectory: string,
  store: SessionStore.SessionStore["Service"]
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const files = filesFolder(dataDirectory)
    if (!existsSync(FileFolders.stagedFolder(files))) return Effect.void
    const holds = Effect.map(store.list({ workspaceRoot: null, limit: Number.MAX_SAFE_INTEGER }), (mains) =>
      mains.flatMap(({ sessionId }) => [stagingKey(sessionId, "turn"), stagingKey(sessionId, "reflection")])
    )
    return Effect.promise(() => import("./MemoryLibrary.ts")).pipe(
      Effect.flatMap(({ dropOthers }) => dropOthers(files, holds)),
      Effect.ignore
    )
  })

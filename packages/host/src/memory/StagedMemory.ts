/** The names that changes of memory are held under until what made them has ended. */
import * as FileFolders from "@bough/memory/FileFolders"
import type { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join } from "node:path"

/** A whole tree writes under one hold: what its Branches learnt is kept with their Main's turn. A reflection is no part of it. */
export type Work = "turn" | "reflection"

export const stagingKey = (main: string, work: Work): string => `${main}/${work}`

/** Of memory files. */
export const filesFolder = (dataDirectory: string): string => FileFolders.files(join(dataDirectory, "memory"))

/**
 * Drops what is held in memory files for sessions that are no more; a failure leaves it to the next time. Notes are rows of
 * the session database, and go with their session there.
 */
export const dropAbandoned = (
  dataDirectory: string,
  store: SessionStore.SessionStore["Service"]
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const files = filesFolder(dataDirectory)
    if (!existsSync(FileFolders.held(files))) return Effect.void
    const holds = Effect.map(store.list({ workspaceRoot: null, limit: Number.MAX_SAFE_INTEGER }), (mains) =>
      mains.flatMap(({ sessionId }) => [stagingKey(sessionId, "turn"), stagingKey(sessionId, "reflection")])
    )
    return Effect.promise(() => import("./MemoryLibrary.ts")).pipe(
      Effect.flatMap(({ dropOthers }) => dropOthers(files, holds)),
      Effect.ignore
    )
  })

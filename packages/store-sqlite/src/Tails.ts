/**
 * Caches the last entry of each session that this process writes to, so that a commit need not look it up. It is valid
 * only for the epoch in which it was read, and until a transaction is rolled back.
 */
import type { Database } from "./driver/Database.ts"
import * as Failure from "./Failure.ts"

/**
 * `seq` belongs to the next entry, `digest` to the last one ("" if there is none), `second` orders the session in
 * lists; `treeId` null: there is no such session.
 */
export interface Tail {
  readonly second: number
  readonly treeId: string | null
  readonly seq: number
  readonly digest: string
}

export interface Tails {
  readonly read: (database: Database, sessionId: string, epoch: number) => Tail
  readonly write: (sessionId: string, epoch: number, tail: Tail) => void
  readonly forget: (treeId: string) => void
  readonly clear: () => void
}

const query = `
  SELECT s.tree_id, s.entries, s.changed_second, e.digest FROM sessions s
  LEFT JOIN entries e ON e.session_id = s.session_id AND e.seq = s.entries - 1
  WHERE s.session_id = ?`

const none: Tail = { treeId: null, seq: 0, digest: "", second: 0 }

export const make = (): Tails => {
  const known = new Map<string, { readonly epoch: number; readonly tail: Tail }>()
  // The id of a Main is that of its tree, and most Mains have no descendants. Closing one of thousands of trees
  // therefore does not search the others.
  const below = new Map<string, Set<string>>()
  return {
    read: (database, sessionId, epoch) => {
      const found = known.get(sessionId)
      if (found !== undefined && found.epoch === epoch) return found.tail
      const row = database.get(query, [sessionId])
      if (row === undefined) return none
      const { digest } = row
      if (typeof digest !== "string") throw Failure.unreadable("commit", `session ${sessionId} lacks its last entry`)
      return {
        treeId: String(row["tree_id"]),
        seq: Number(row["entries"]),
        digest,
        second: Number(row["changed_second"])
      }
    },
    write: (sessionId, epoch, tail) => {
      known.set(sessionId, { epoch, tail })
      const { treeId } = tail
      if (treeId === null || treeId === sessionId) return
      const members = below.get(treeId)
      if (members === undefined) below.set(treeId, new Set([sessionId]))
      else members.add(sessionId)
    },
    forget: (treeId) => {
      known.delete(treeId)
      for (const sessionId of below.get(treeId) ?? []) known.delete(sessionId)
      below.delete(treeId)
    },
    clear: () => {
      known.clear()
      below.clear()
    }
  }
}

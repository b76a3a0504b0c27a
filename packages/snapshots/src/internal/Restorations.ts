/** The restorations of a workspace, as rows of its store. Throws the errors of the database. */
import { randomBytes } from "node:crypto"
import type { OpenSnapshots } from "./Engine.ts"

export interface Restoration {
  readonly number: number
  readonly turn: number
  readonly throughCommit: number
  readonly fromTree: string
  /** The state that it leads to; null: an earlier version began it, which recorded the state at the end. */
  readonly toTree: string | null
  readonly madeAtMillis: number
  /** `Started` and `Redoing`: an undo or a redo of it was begun, and may have been killed between the two states. */
  readonly state: "Started" | "Done" | "Redoing" | "Redone"
}

export const forSession = ({ store }: OpenSnapshots, session: string): ReadonlyArray<Restoration> =>
  store.database
    .all("SELECT * FROM restoration WHERE session = ? ORDER BY number", session)
    .map((row) => row as unknown as Restoration)

type RestorationStart = Pick<Restoration, "turn" | "throughCommit" | "fromTree" | "toTree"> & {
  readonly session: string
  readonly atMillis: number
}

/**
 * Returns an undo of the same calls that a killed process had begun, or whose redo it had begun; the undo is continued
 * from its first state.
 */
export const findUnfinished = (
  opened: OpenSnapshots,
  { session, throughCommit, turn }: Pick<RestorationStart, "session" | "turn" | "throughCommit">
): Restoration | undefined =>
  forSession(opened, session).findLast(
    ({ state, ...made }) =>
      (state === "Started" || state === "Redoing") && made.turn === turn && made.throughCommit === throughCommit
  )

export const begin = (
  { store: { database } }: OpenSnapshots,
  { atMillis, fromTree, session, throughCommit, toTree, turn }: RestorationStart
): number =>
  database.transact(true, () => {
    database.run(
      "INSERT INTO restoration (session, turn, throughCommit, fromTree, toTree, madeAtMillis, state) VALUES (?, ?, ?, ?, ?, ?, 'Started')",
      session,
      turn,
      throughCommit,
      fromTree,
      toTree,
      atMillis
    )
    return Number(database.get("SELECT last_insert_rowid() AS number")?.["number"])
  })

/** Returns the last undo that a redo can revert: one that is done, was killed, or in which single places failed. */
export const redoable = (opened: OpenSnapshots, session: string): Restoration | undefined =>
  forSession(opened, session).findLast(({ state, toTree }) => state !== "Redone" && toTree !== null)

/** Records how far a restoration came, and returns its number; `toTree` is the state that it leads to. */
export const mark = (
  { store: { database } }: OpenSnapshots,
  number: number,
  { state, toTree }: Pick<Restoration, "state" | "toTree">
): number =>
  database.transact(true, () => {
    database.run("UPDATE restoration SET state = ?, toTree = ? WHERE number = ?", state, toTree, number)
    return number
  })

/** Changes the state to which a redo returns. */
export const startFrom = ({ store: { database } }: OpenSnapshots, number: number, fromTree: string): void =>
  database.transact(true, () => {
    database.run("UPDATE restoration SET fromTree = ? WHERE number = ?", fromTree, number)
  })

/**
 * Returns the seed of the names of temporary files: it is unpredictable, and the same for every attempt at one
 * restoration.
 */
export const secretOf = ({ store: { database } }: OpenSnapshots, number: number): string => {
  const name = `restoration-${number}`
  // The write is durable, so that after a power cut the next attempt finds the temporary files of this one.
  database.transact(true, () =>
    database.run("INSERT OR IGNORE INTO fact VALUES (?, ?)", name, randomBytes(16).toString("hex"))
  )
  return String(database.get("SELECT value FROM fact WHERE name = ?", name)?.["value"])
}

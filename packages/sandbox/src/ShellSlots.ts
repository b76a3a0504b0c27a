/**
 * The shells of sessions whose commands share a shell: each session has a slot with its shell and the note for its next
 * command.
 */
import type { Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/** A running shell, with the facts that its slot needs. */
export interface Shell {
  /** A key of the shell's view: a command with another key needs another shell. */
  readonly key: string
  readonly close: Effect.Effect<void>
}

export interface Slot<S extends Shell> {
  /** The queue by which commands run one at a time. */
  readonly lock: Semaphore.Semaphore
  shell: S | null
  /** The directory of the shell after its newest command; null: there was none. */
  folder: string | null
  /** The remark in the result of the next command. */
  note: string
  /** True if the command continues in the background: the shell ends with it. */
  isLeft: boolean
  isBusy: boolean
  usedAt: number
}

export interface ShellSlots<S extends Shell> {
  readonly slots: Map<Session.SessionId, Slot<S>>
  uses: number
}

/** The maximum number of idle shells; further ones are closed, the least recently used first. */
const maxIdle = 16

export const make = <S extends Shell>(): ShellSlots<S> => ({ slots: new Map(), uses: 0 })

const empty = <S extends Shell>(folder: string | null, note: string): Slot<S> => ({
  lock: Semaphore.makeUnsafe(1),
  shell: null,
  folder,
  note,
  isLeft: false,
  isBusy: false,
  usedAt: 0
})

export const slotOf = <S extends Shell>(shells: ShellSlots<S>, sessionId: Session.SessionId): Slot<S> => {
  const slot = shells.slots.get(sessionId) ?? empty<S>(null, "")
  shells.slots.set(sessionId, slot)
  slot.usedAt = ++shells.uses
  return slot
}

export const freshShellNote = (reason: string): string =>
  `[bough: ${reason}; the next command starts a fresh shell: variables and functions that commands set are gone]\n`

/** Assigns the shell to a command of the session that continues in the background. */
export const vacate = <S extends Shell>({ slots }: ShellSlots<S>, sessionId: Session.SessionId): void => {
  const slot = slots.get(sessionId)
  if (slot === undefined) return
  slot.isLeft = true
  slots.set(
    sessionId,
    empty(slot.folder, freshShellNote("the command that was left running took the session's shell with it"))
  )
}

/** Takes the pending note for the session. */
export const takeNote = (slot: Slot<Shell>): string => {
  const { note } = slot
  slot.note = ""
  return note
}

const closeSlot = (slot: Slot<Shell>): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { shell } = slot
    slot.shell = null
    return shell === null ? Effect.void : shell.close
  })

export const closeSession = <S extends Shell>(
  { slots }: ShellSlots<S>,
  sessionId: Session.SessionId
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const slot = slots.get(sessionId)
    slots.delete(sessionId)
    return slot === undefined ? Effect.void : closeSlot(slot)
  })

export const closeAll = <S extends Shell>({ slots }: ShellSlots<S>): Effect.Effect<void> =>
  Effect.suspend(() => Effect.forEach([...slots.values()], closeSlot, { concurrency: "unbounded", discard: true }))

export const closeIdle = <S extends Shell>({ slots }: ShellSlots<S>): Effect.Effect<void> =>
  Effect.suspend(() => {
    const idle = [...slots.values()]
      .filter(({ isBusy, shell }) => shell !== null && !isBusy)
      .toSorted((one, other) => other.usedAt - one.usedAt)
    return Effect.forEach(
      idle.slice(maxIdle),
      (slot) => {
        slot.note = freshShellNote(`the session's shell was closed: ${maxIdle} others were used since`)
        return closeSlot(slot)
      },
      { discard: true }
    )
  })

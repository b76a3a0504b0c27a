/**
 * Several directories as one workspace: a repository and the directories that were added to it. A state names the tree
 * of each directory, and an undo is made in all of them or in none.
 */
import type { Snapshots } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as path from "node:path"
import * as Database from "./internal/Database.ts"
import * as Engine from "./internal/Engine.ts"
import * as Undo from "./Undo.ts"
import * as WorkspaceSnapshots from "./WorkspaceSnapshots.ts"

export interface GroupOptions extends WorkspaceSnapshots.SnapshotOptions {
  /** Absolute paths without links; no directory is inside another one or inside the root. */
  readonly additionalRoots: ReadonlyArray<string>
}

interface Member {
  readonly root: string
  /** Null: the first directory of the group, whose tree has no key in a state. */
  readonly key: string | null
  readonly snapshots: WorkspaceSnapshots.WorkspaceSnapshots
}

const keyLength = 16

const keyOf = (directory: string, root: string): string =>
  path.basename(Engine.fileOf(directory, root), ".db").slice(0, keyLength)

/** Formats a state: the tree of the first directory, then `key:tree` for each further directory. */
const formatState = (trees: ReadonlyArray<readonly [key: string | null, tree: string]>): string =>
  trees.map(([key, tree]) => (key === null ? tree : `${key}:${tree}`)).join(" ")

const treeIn = (state: string, key: string | null): string | null => {
  const parts = state.split(" ")
  if (key === null) return parts.find((part) => !part.includes(":")) ?? null
  return parts.find((part) => part.startsWith(`${key}:`))?.slice(key.length + 1) ?? null
}

/** Returns the further directories whose trees these states name, if their stores exist. */
export const rootsIn = (directory: string, states: Iterable<string>): ReadonlyArray<string> => {
  const keys = new Set(
    [...states].flatMap((state) => state.split(" ").flatMap((part) => /^([0-9a-f]+):/u.exec(part)?.[1] ?? []))
  )
  return [...keys].flatMap((key) => Database.rootOf(directory, key) ?? [])
}

/** Makes the snapshots of a group; a group of one directory has the directory's own snapshots. */
export const make = Effect.fnUntraced(function* ({
  additionalRoots,
  ...options
}: GroupOptions): Effect.fn.Return<WorkspaceSnapshots.WorkspaceSnapshots, never, Scope.Scope> {
  const first = yield* WorkspaceSnapshots.make(options)
  if (additionalRoots.length === 0) return first
  const others = yield* Effect.forEach(additionalRoots, (root) =>
    Effect.map(WorkspaceSnapshots.make({ ...options, root }), (snapshots): Member => ({
      root,
      key: keyOf(options.directory, root),
      snapshots
    }))
  )
  return grouped([{ root: options.root, key: null, snapshots: first }, ...others])
})

const grouped = (members: ReadonlyArray<Member>): WorkspaceSnapshots.WorkspaceSnapshots => {
  const state = (take: (member: Member) => Effect.Effect<string, Snapshots.SnapshotFailed>) =>
    Effect.map(
      Effect.forEach(members, (member) => Effect.map(take(member), (tree) => [member.key, tree] as const)),
      formatState
    )
  return {
    prepare: Effect.forEach(members, ({ snapshots }) => snapshots.prepare, { discard: true }),
    before: state(({ snapshots }) => snapshots.before),
    after: state(({ snapshots }) => snapshots.after),
    restorable: Effect.map(
      Effect.forEach(members, ({ snapshots }) => snapshots.restorable),
      (each): Snapshots.IsRestorable =>
        (place) =>
          each.some((isRestorable) => isRestorable(place))
    ),
    check: (options) => Effect.flatMap(involvedMembers(members, options), checkAll),
    lastUndo: ({ session }) =>
      Effect.map(
        Effect.forEach(members, ({ snapshots }) => snapshots.lastUndo({ session })),
        (times) => latest(times)
      ),
    turns: (options) =>
      Effect.map(
        Effect.forEach(members, (member) =>
          member.snapshots.turns({ session: options.session, calls: callsIn(member, options.calls) })
        ),
        (each) => [...new Set(each.flat())].toSorted((a, b) => a - b)
      ),
    undo: Effect.fnUntraced(function* (options) {
      const chosen = yield* involvedMembers(members, options)
      yield* checkAll(chosen)
      const atMillis = yield* Clock.currentTimeMillis
      const restored = yield* Effect.forEach(chosen, ({ member, options: memberOptions }) =>
        Effect.map(member.snapshots.undo({ ...memberOptions, atMillis }), (result) => withMemberPaths(member, result))
      )
      return mergeResults(restored)
    }),
    redo: Effect.fnUntraced(function* (options) {
      const times = yield* Effect.forEach(members, ({ snapshots }) => snapshots.lastUndo(options))
      const last = latest(times)
      if (last === null) return yield* new Undo.NothingToRestore()
      const undone = members.filter((_, at) => times[at] === last)
      const restored = yield* Effect.forEach(undone, (member) =>
        Effect.map(member.snapshots.redo(options), (result) => withMemberPaths(member, result))
      )
      return mergeResults(restored)
    }),
    diff: Effect.fnUntraced(function* (options) {
      const { page, ...whole } = options
      const chosenOf = yield* involvedMembers(members, { ...whole, isForced: true })
      const each = yield* Effect.forEach(chosenOf, ({ member, options: memberOptions }) =>
        Effect.map(member.snapshots.diff(memberOptions), (files) =>
          files.map((file) => ({ ...file, path: nameIn(member, file.path) }))
        )
      )
      return page === undefined ? each.flat() : each.flat().slice(page.skip, page.skip + page.limit)
    })
  }
}

const latest = (times: ReadonlyArray<number | null>): number | null =>
  times.reduce((last, time) => (time !== null && (last === null || time > last) ? time : last), null)

/** Returns the calls that recorded a directory; earlier calls have no tree for it. */
const callsIn = ({ key }: Member, calls: ReadonlyArray<Undo.CallChange>): ReadonlyArray<Undo.CallChange> =>
  calls.flatMap((call) => {
    const before = treeIn(call.before, key)
    if (before === null) return []
    return [{ ...call, before, after: call.after === null ? null : treeIn(call.after, key) }]
  })

interface ChosenMember {
  readonly member: Member
  readonly options: Undo.UndoOptions
}

/**
 * Returns the directories in which calls from the given turn on changed something, each with its own part of the calls.
 */
const involvedMembers = Effect.fnUntraced(function* (
  members: ReadonlyArray<Member>,
  options: Undo.UndoOptions
): Effect.fn.Return<ReadonlyArray<ChosenMember>, Undo.UndoError> {
  const each = yield* Effect.forEach(members, (member) => {
    const calls = callsIn(member, options.calls)
    return Effect.map(member.snapshots.turns({ session: options.session, calls }), (turns) => ({
      member,
      calls,
      turns
    }))
  })
  const turn = options.turn ?? Math.max(...each.map(({ turns }) => turns.at(-1) ?? Number.NEGATIVE_INFINITY))
  const chosen = each.filter(({ turns }) => turns.some((one) => one >= turn))
  return chosen.length === 0
    ? yield* new Undo.NothingToRestore()
    : chosen.map(({ calls, member }) => ({ member, options: { ...options, calls, turn } }))
})

const checkAll = (chosen: ReadonlyArray<ChosenMember>): Effect.Effect<void, Undo.UndoError> =>
  Effect.forEach(chosen, ({ member, options }) => member.snapshots.check(options), { discard: true })

/** Returns a path for users: relative in the first directory, absolute in all others. */
const nameIn = ({ key, root }: Member, place: string): string => (key === null ? place : `${root}/${place}`)

const withMemberPaths = (member: Member, restored: Undo.UndoResult): Undo.UndoResult => ({
  turn: restored.turn,
  written: restored.written.map((place) => nameIn(member, place)),
  removed: restored.removed.map((place) => nameIn(member, place)),
  lost: restored.lost.map(({ path: place, reason }) => ({ path: nameIn(member, place), reason }))
})

const mergeResults = (restored: ReadonlyArray<Undo.UndoResult>): Undo.UndoResult => ({
  turn: Math.min(...restored.map(({ turn }) => turn)),
  written: restored.flatMap(({ written }) => written),
  removed: restored.flatMap(({ removed }) => removed),
  lost: restored.flatMap(({ lost }) => lost)
})

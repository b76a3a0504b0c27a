/**
 * Ensures that commands of a tree do not run in the sandbox and outside of it at the same time. A user approves an
 * outside command on the basis of certain files; a command in the sandbox could change these files between the approval
 * and their use. A command that the user types is exempt, because typing it is the approval.
 */
import { type Session, ToolError } from "@bough/protocol"
import type { Execution } from "@bough/tool"
import * as Effect from "effect/Effect"
import { textOf } from "./internal/BackgroundCommand.ts"

interface RunningCommand {
  readonly text: string
  readonly isConfined: boolean
}

/** The running commands by tree. */
export type CommandExclusion = Map<Session.SessionId, Set<RunningCommand>>

export const make = (): CommandExclusion => new Map()

/** Returns the reason why no command of the tree may run outside of the sandbox now; null: one may. */
export const whyConfined = (exclusion: CommandExclusion, tree: Session.SessionId): string | null => {
  const inside = find(exclusion, tree, true)
  return inside === null
    ? null
    : `${formatCommand(inside)} is running in the sandbox and could change files that a command outside of it uses: stop it first, or wait for its end`
}

/** Runs a command, unless a command of the other kind is running. */
export const whileApart = <A, E>(
  exclusion: CommandExclusion,
  {
    invoke,
    isConfined,
    tree
  }: Pick<RunningCommand, "isConfined"> & {
    readonly tree: Session.SessionId
    readonly invoke: Execution.Invoke | string
  },
  run: Effect.Effect<A, E>
): Effect.Effect<A, E | ToolError.PermissionDenied> =>
  Effect.acquireUseRelease(
    Effect.suspend(() => {
      const reason = isConfined ? whyOutside(exclusion, tree) : whyConfined(exclusion, tree)
      if (reason !== null) return Effect.fail(new ToolError.PermissionDenied({ tier: "System", reason }))
      const running: RunningCommand = { text: textOf(invoke), isConfined }
      const all = exclusion.get(tree) ?? new Set<RunningCommand>()
      exclusion.set(tree, all.add(running))
      return Effect.succeed(running)
    }),
    () => run,
    (running) =>
      Effect.sync(() => {
        const all = exclusion.get(tree)
        all?.delete(running)
        if (all?.size === 0) exclusion.delete(tree)
      })
  )

const whyOutside = (exclusion: CommandExclusion, tree: Session.SessionId): string | null => {
  const outside = find(exclusion, tree, false)
  return outside === null
    ? null
    : `${formatCommand(outside)} is running outside of the sandbox, for the files that its user approved: run this again after its end`
}

const find = (exclusion: CommandExclusion, tree: Session.SessionId, isConfined: boolean): RunningCommand | null =>
  [...(exclusion.get(tree) ?? [])].find((running) => running.isConfined === isConfined) ?? null

const maxShown = 60

const formatCommand = ({ text }: RunningCommand): string => {
  const line = text.replaceAll(/\s+/gu, " ").trim()
  return JSON.stringify(line.length <= maxShown ? line : `${line.slice(0, maxShown - 1).toWellFormed()}…`)
}

/**
 * The machine's own device files that every sandbox shows. They are not copies: a command that runs as root owns them
 * and can change their mode, and bubblewrap cannot mount a usable device read-only. Therefore changed modes are
 * restored after each command.
 */
import * as Effect from "effect/Effect"
import { chmodSync, statSync } from "node:fs"

const names = ["null", "zero", "full", "random", "urandom", "tty"].map((name) => `/dev/${name}`)

export type Modes = ReadonlyMap<string, number>

const modeOf = (path: string): number | null => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.isCharacterDevice() ? stats.mode & 0o7777 : null
}

/** The devices; empty: commands own none of them. */
export const modes = (ownsThem: boolean): Modes =>
  new Map(
    (ownsThem ? names : []).flatMap((path) => {
      const mode = modeOf(path)
      return mode === null ? [] : [[path, mode] as const]
    })
  )

/** Restores the modes, and returns the devices whose mode had changed. */
export const restore = (before: Modes): Effect.Effect<ReadonlyArray<string>> =>
  Effect.sync(() => [...before].filter(([path, mode]) => modeOf(path) !== mode)).pipe(
    Effect.tap((changed) =>
      Effect.forEach(changed, ([path, mode]) => Effect.ignore(Effect.try(() => chmodSync(path, mode))))
    ),
    Effect.map((changed) => changed.map(([path]) => path))
  )

/** Formats the line in a result about these devices. */
export const text = (changed: ReadonlyArray<string>): string =>
  changed.length === 0
    ? ""
    : `[bough: a command changed the mode of ${changed.join(", ")} of this machine; the former mode was restored]\n`

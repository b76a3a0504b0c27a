/**
 * The user's vault for the sessions of a tree: entries for tools and commands, the paths of their copies, and the
 * values that are redacted in every text of the session. Opened at its first use.
 */
import { Redaction } from "@bough/dispatch"
import { ToolError } from "@bough/protocol"
import type { CommandVault } from "@bough/sandbox"
import type { Vault as VaultCapability, ToolContext } from "@bough/tool"
import * as Copies from "@bough/vault/Copies"
import type * as Vault from "@bough/vault/Vault"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Buffer } from "node:buffer"
import { readFileSync, statSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import type { Settings } from "../config/Settings.ts"
import { redactionOf } from "./SecretSearch.ts"

export interface SessionVault {
  readonly provided: ToolContext.ProvidedService<VaultCapability.Vault["Service"]>
  readonly commands: CommandVault.CommandVault
  /** Absolute paths of the files that entries were copied to. */
  readonly secretPaths: () => ReadonlyArray<string>
  readonly redaction: Redaction.GrowingRedaction
}

/** Null: sessions of this program have no vault. */
export const Current = Context.Reference<SessionVault | null>("@bough/host/SessionVault", { defaultValue: () => null })

export const directoryIn = (dataDirectory: string): string => join(dataDirectory, "vault")

/** Returns the files that entries were copied to, across all sessions of the data directory. */
export const secretPathsIn = (dataDirectory: string): (() => ReadonlyArray<string>) => {
  const copies = Copies.make(directoryIn(dataDirectory))
  return () => copies.list().map(({ path }) => path)
}

/** The environment variable for the passphrase of the vault, for programs without a terminal. */
export const passphraseVariable = "BOUGH_VAULT_PASSPHRASE"

/** A larger file is no longer treated as a copy: entries are smaller. */
const maxCopyBytes = 64 * 1024

const loaded = Effect.promise(() => import("@bough/vault"))

type VaultSettings = Pick<Settings, "dataDirectory" | "environment" | "workspace" | "secrets">

export const make = (settings: VaultSettings): Effect.Effect<SessionVault> =>
  Effect.gen(function* () {
    const directory = directoryIn(settings.dataDirectory)
    const copies = Copies.make(directory)
    const redaction = Redaction.makeGrowing(settings.secrets, redactionOf(settings))
    const opened = yield* Effect.cached(
      Effect.map(loaded, ({ Vault }) =>
        Vault.make({
          directory,
          passphrase: () => Effect.succeed(settings.environment.variables[passphraseVariable] ?? null)
        })
      )
    )
    const learn = (name: string, value: Uint8Array): Effect.Effect<void> =>
      Effect.map(loaded, ({ knownParts }) => redaction.add(knownParts(value).map((part) => ({ name, value: part }))))
    const read = (name: string): Effect.Effect<Uint8Array, Vault.Failure> =>
      Effect.tap(
        Effect.flatMap(opened, (vault) => vault.get(name)),
        (value) => learn(name, value)
      )
    let refreshed: ReadonlyArray<Copies.Copy> = []
    const refresh = Effect.suspend(() => {
      const now = copies.list()
      if (now === refreshed) return Effect.void
      refreshed = now
      return Effect.forEach(now.filter(isHere(settings)), ({ name, path }) => learnCopy(name, path), { discard: true })
    })
    const learnCopy = (name: string, path: string): Effect.Effect<void> => {
      const content = contentAt(path)
      return Effect.andThen(content === null ? Effect.void : learn(name, content), Effect.ignore(read(name)))
    }
    // Read before the first command, which may print a copy that an earlier session made in this folder.
    yield* refresh
    const absolute = (path: string): string => (isAbsolute(path) ? path : join(settings.workspace.root, path))
    return {
      redaction,
      secretPaths: () => copies.list().map(({ path }) => path),
      commands: {
        refresh,
        hiding: () => (redaction.hasGrown() ? Redaction.streaming(redaction) : null),
        variables: (names) =>
          Effect.map(
            Effect.forEach(names, (name) => Effect.flatMap(atField(read(name), "vault"), toVariable(name))),
            Object.fromEntries<string>
          )
      },
      provided: {
        reach: "Open",
        preconditions: [],
        make: () => ({
          names: Effect.map(
            Effect.mapError(
              Effect.flatMap(opened, ({ list }) => list),
              toExecutionError
            ),
            (entries) => entries.map(({ name }) => name)
          ),
          read: (name, field) => atField(read(name), field),
          markCopy: (name, path) => Effect.mapError(copies.add({ name, path: absolute(path) }), toExecutionError),
          isCopy: (path) => Effect.sync(() => copies.has(absolute(path)))
        })
      }
    }
  })

/** True for copies below the folders of the session. */
const isHere =
  ({ workspace: { repositoryRoot, root: workspaceRoot } }: VaultSettings) =>
  ({ path }: Copies.Copy): boolean =>
    [repositoryRoot, workspaceRoot].some((root) => path.startsWith(`${root}/`))

/** Reads a copy; null if the path has no file of a plausible size. */
const contentAt = (path: string): Uint8Array | null =>
  Result.getOrNull(
    Result.try(() => {
      const stats = statSync(path)
      return stats.isFile() && stats.size > 0 && stats.size <= maxCopyBytes ? readFileSync(path) : null
    })
  )

const toVariable =
  (name: string) =>
  (value: Uint8Array): Effect.Effect<readonly [string, string], ToolError.ToolError> => {
    const bytes = Buffer.from(value)
    const text = bytes.toString("utf8")
    if (!text.includes("\0") && Buffer.from(text, "utf8").equals(bytes)) return Effect.succeed([name, text] as const)
    const message = `${name} is not text, and a variable can contain only text`
    return Effect.fail(new ToolError.ExecutionError({ message, hint: "copy_from_vault puts it into a file" }))
  }

const toExecutionError = ({ hint, message }: Vault.Failure): ToolError.ExecutionError =>
  new ToolError.ExecutionError({ message, ...(hint === "" ? {} : { hint }) })

const atField = <A>(effect: Effect.Effect<A, Vault.Failure>, field: string): Effect.Effect<A, ToolError.ToolError> =>
  Effect.mapError(effect, (failure) =>
    failure.isUnknownEntry
      ? new ToolError.ValidationError({
          message: failure.message,
          field,
          issues: [{ path: field, message: failure.message }]
        })
      : toExecutionError(failure)
  )

/**
 * The file of a vault: a small JSON document with entries encrypted by age, and the location of their key. It is
 * replaced as a whole, so that readers see either the old or the new entries.
 */
import { SmallFile, SystemError } from "@bough/disk"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { failed, type VaultFailed } from "./VaultFailed.ts"

/** The location of the key: a file that only the user may read, the platform's keyring, or a passphrase. */
export const KeySource = Schema.Literals(["file", "keyring", "passphrase"])
export type KeySource = typeof KeySource.Type

const VaultContent = Schema.Struct({
  v: Schema.Literal(1),
  key: KeySource,
  /** An age file, in Base64. */
  entries: Schema.String
})
export type VaultContent = typeof VaultContent.Type

/** `value` in Base64; `savedAtMillis` is epoch time. */
export const Entry = Schema.Struct({ value: Schema.String, savedAtMillis: Schema.Natural })
export type Entry = typeof Entry.Type

const Entries = Schema.Record(Schema.String, Entry)
export type Entries = Readonly<Record<string, Entry>>

const decodeStored = Schema.decodeUnknownResult(Schema.fromJsonString(VaultContent))
const decodeEntries = Schema.decodeUnknownResult(Schema.fromJsonString(Entries))

const damaged = (path: string): VaultFailed =>
  failed(`the vault ${path} is damaged`, "restore it from a backup, or move it away to begin with an empty one")

/** Reads a whole file as text; null: it does not exist. */
export const readText = (path: string): Effect.Effect<string | null, VaultFailed> =>
  Effect.suspend(() => {
    const read = Result.try(() => readFileSync(path, "utf8"))
    if (Result.isSuccess(read)) return Effect.succeed(read.success)
    const { code, message } = SystemError.toSystemError(read.failure)
    return code === "ENOENT" ? Effect.succeed(null) : Effect.fail(failed(`cannot read ${path}: ${message}`))
  })

export const replaceText = (path: string, text: string): Effect.Effect<void, VaultFailed> =>
  Effect.try({
    try: () => SmallFile.replace(path, text),
    catch: (cause) => failed(`cannot write ${path}: ${SystemError.reason(cause)}`)
  })

/** Reads the vault; null: there is none yet. `text` is the whole file, which shows whether it has changed. */
export const read = (
  path: string
): Effect.Effect<{ readonly stored: VaultContent; readonly text: string } | null, VaultFailed> =>
  Effect.flatMap(readText(path), (text) => {
    if (text === null) return Effect.succeed(null)
    const stored = decodeStored(text)
    return Result.isFailure(stored) ? Effect.fail(damaged(path)) : Effect.succeed({ stored: stored.success, text })
  })

export const print = (stored: VaultContent): string => `${JSON.stringify(stored)}\n`

/** Parses the decrypted entries. */
export const parse = (path: string, text: string): Effect.Effect<Entries, VaultFailed> => {
  const entries = decodeEntries(text)
  return Result.isFailure(entries) ? Effect.fail(damaged(path)) : Effect.succeed(entries.success)
}

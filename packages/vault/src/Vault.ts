/**
 * A user's secrets by name, encrypted on disk: adr/0105-a-vault-beside-the-journal.md. Nothing is read or loaded before
 * the first use; the entries are decrypted again only if the file has changed.
 */
import { Directory, SystemError } from "@bough/disk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { Buffer } from "node:buffer"
import { join } from "node:path"
import * as EntryName from "./EntryName.ts"
import * as Keyring from "./Keyring.ts"
import { failed, VaultFailed } from "./VaultFailed.ts"
import * as VaultFile from "./VaultFile.ts"
import * as VaultKey from "./VaultKey.ts"
import { withLock } from "./VaultLock.ts"

export type Failure = VaultFailed

export interface VaultOptions {
  /** A private directory, created with the first entry. */
  readonly directory: string
  readonly passphrase: VaultKey.KeyOptions["passphrase"]
  /** Default: the platform's keyring. */
  readonly keyring?: Keyring.Keyring
}

export interface VaultEntry {
  readonly name: string
  readonly bytes: number
  readonly savedAtMillis: number
}

export interface Vault {
  /** Sorted by name. */
  readonly list: Effect.Effect<ReadonlyArray<VaultEntry>, VaultFailed>
  /** Fails if there is no such entry, and names the existing ones. */
  readonly get: (name: string) => Effect.Effect<Uint8Array, VaultFailed>
  /**
   * Sets an entry. `source` moves the key to that location; null: the key is not moved, and a new vault stores its key
   * in a file. Returns true if the entry is new.
   */
  readonly set: (
    name: string,
    value: Uint8Array,
    source: VaultFile.KeySource | null
  ) => Effect.Effect<boolean, VaultFailed>
  readonly remove: (name: string) => Effect.Effect<void, VaultFailed>
  /** The location of the key; null: there is no vault yet. */
  readonly keySource: Effect.Effect<VaultFile.KeySource | null, VaultFailed>
}

/** The minimum length of a value: a shorter one is often an ordinary word, and could not be redacted. */
export const minBytes = 8
export const maxBytes = 64 * 1024

interface OpenVault {
  /** The text of the file when it was last read; null: it did not exist. */
  readonly text: string | null
  readonly source: VaultFile.KeySource | null
  readonly key: VaultKey.VaultKey | null
  readonly entries: VaultFile.Entries
}

const empty: OpenVault = { text: null, source: null, key: null, entries: {} }

export const make = ({ directory, keyring = Keyring.platform, passphrase }: VaultOptions): Vault => {
  const path = join(directory, "vault.json")
  const keyOptions = { directory, keyring, passphrase }
  const lock = Semaphore.makeUnsafe(1)
  let openVault: OpenVault = empty

  const open = Effect.gen(function* () {
    const found = yield* VaultFile.read(path)
    if (found === null) return (openVault = empty)
    if (found.text === openVault.text) return openVault
    const { stored, text } = found
    const key = yield* VaultKey.find(keyOptions, stored.key)
    const decrypted = yield* key.decrypt(stored.entries)
    if (decrypted === null) return yield* wrongKey(stored.key, path)
    const entries = yield* VaultFile.parse(path, decrypted)
    return (openVault = { text, source: stored.key, key, entries })
  })

  const change = <A>(
    source: VaultFile.KeySource | null,
    alter: (entries: VaultFile.Entries) => Effect.Effect<readonly [VaultFile.Entries, A], VaultFailed>
  ): Effect.Effect<A, VaultFailed> =>
    Effect.andThen(
      Effect.try({
        try: () => Directory.makePrivate(directory),
        catch: (cause) => failed(`cannot make ${directory}: ${SystemError.reason(cause)}`)
      }),
      withLock(
        directory,
        Effect.gen(function* () {
          const before = yield* open
          const [entries, result] = yield* alter(before.entries)
          const keySource = source ?? before.source ?? "file"
          const known = keySource === before.source ? before.key : null
          const key = known ?? (yield* VaultKey.make(keyOptions, keySource))
          const encrypted = yield* key.encrypt(JSON.stringify(entries))
          const text = VaultFile.print({ v: 1, key: keySource, entries: encrypted })
          yield* VaultFile.replaceText(path, text)
          openVault = { text, source: keySource, key, entries }
          return result
        })
      )
    )

  const exclusively = Semaphore.withPermit(lock)
  return {
    list: Effect.map(exclusively(open), ({ entries }) => listOf(entries)),
    keySource: Effect.map(VaultFile.read(path), (found) => found?.stored.key ?? null),
    get: (name) =>
      Effect.flatMap(exclusively(open), ({ entries }) =>
        Object.hasOwn(entries, name)
          ? Effect.succeed(Buffer.from(entries[name].value, "base64"))
          : Effect.fail(unknown(name, entries))
      ),
    set: (name, value, source) =>
      Effect.gen(function* () {
        yield* Effect.fromResult(EntryName.check(name))
        yield* checkSize(name, value)
        const savedAtMillis = yield* Clock.currentTimeMillis
        const entry = { value: Buffer.from(value).toString("base64"), savedAtMillis }
        return yield* exclusively(
          change(source, (entries) =>
            Effect.succeed([{ ...entries, [name]: entry }, !Object.hasOwn(entries, name)] as const)
          )
        )
      }),
    remove: (name) =>
      exclusively(
        change(null, (entries) => {
          const { [name]: removed, ...rest } = entries
          return removed === undefined
            ? Effect.fail(unknown(name, entries))
            : Effect.succeed([rest, undefined] as const)
        })
      )
  }
}

const listOf = (entries: VaultFile.Entries): ReadonlyArray<VaultEntry> =>
  Object.entries(entries)
    .map(([name, { savedAtMillis, value }]) => ({
      name,
      bytes: Buffer.byteLength(value, "base64"),
      savedAtMillis
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))

const checkSize = (name: string, value: Uint8Array): Effect.Effect<void, VaultFailed> => {
  if (value.length < minBytes) {
    return Effect.fail(
      failed(
        `${name} has ${value.length} bytes; a value needs at least ${minBytes}, since a shorter one cannot be hidden reliably`,
        "choose a longer value"
      )
    )
  }
  return value.length > maxBytes
    ? Effect.fail(
        failed(`${name} has ${value.length} bytes; an entry may have at most ${maxBytes}`, "store its key here")
      )
    : Effect.void
}

const unknown = (name: string, entries: VaultFile.Entries): VaultFailed => {
  const names = Object.keys(entries).toSorted()
  const contents = names.length === 0 ? "it is empty" : `it holds ${names.join(", ")}`
  return new VaultFailed({
    message: `the vault has no entry ${JSON.stringify(name.slice(0, 128))}; ${contents}`,
    hint: '"bough vault set" adds one',
    isUnknownEntry: true
  })
}

const wrongKey = (source: VaultFile.KeySource, path: string): VaultFailed =>
  source === "passphrase"
    ? failed("the passphrase does not open the vault", "try again")
    : failed(`the key of the vault does not open ${path}`, "restore the key that belongs to it from a backup")

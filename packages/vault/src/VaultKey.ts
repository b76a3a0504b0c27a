/** The key of a vault: an age identity in a file or in the platform's keyring, or a passphrase. */
import type { Decrypter, Encrypter } from "age-encryption"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import { join } from "node:path"
import type { Keyring } from "./Keyring.ts"
import { failed, type VaultFailed } from "./VaultFailed.ts"
import { readText, replaceText, type KeySource } from "./VaultFile.ts"

/** Loaded with the first use: a session without a vault never needs it. */
const age = Effect.promise(() => import("age-encryption"))

export interface KeyOptions {
  readonly directory: string
  readonly keyring: Keyring
  /** Requests a passphrase; null: the user cannot be asked, or gave none. `isNew`: a new passphrase is chosen. */
  readonly passphrase: (isNew: boolean) => Effect.Effect<string | null, VaultFailed>
}

/** A key that decrypts and encrypts the entries. */
export interface VaultKey {
  readonly decrypt: (file: string) => Effect.Effect<string | null>
  readonly encrypt: (text: string) => Effect.Effect<string>
}

const keyFile = ({ directory }: KeyOptions): string => join(directory, "key")

const noPassphrase = failed(
  "the vault needs its passphrase",
  "run the command in a terminal, or set BOUGH_VAULT_PASSPHRASE"
)

const minPassphraseLength = 8

/** Finds the key. Fails if it is missing, so that a vault is never encrypted with another key. */
export const find = (options: KeyOptions, source: KeySource): Effect.Effect<VaultKey, VaultFailed> => {
  switch (source) {
    case "file":
      return Effect.flatMap(readText(keyFile(options)), (key) =>
        key === null
          ? Effect.fail(failed(`the key of the vault is missing: ${keyFile(options)}`, "restore it from a backup"))
          : Effect.succeed(fromIdentity(key.trim()))
      )
    case "keyring":
      return Effect.flatMap(options.keyring.read(options.directory), (key) =>
        key === null
          ? Effect.fail(failed("the platform's keyring does not hold the key of the vault", "unlock the keyring"))
          : Effect.succeed(fromIdentity(key))
      )
    case "passphrase":
      return Effect.flatMap(options.passphrase(false), (passphrase) =>
        passphrase === null ? Effect.fail(noPassphrase) : Effect.succeed(fromPassphrase(passphrase))
      )
  }
}

/**
 * Creates and stores a key. An existing key is reused, because it may belong to a vault that was moved away and may be
 * restored.
 */
export const make = Effect.fnUntraced(function* (
  options: KeyOptions,
  source: KeySource
): Effect.fn.Return<VaultKey, VaultFailed> {
  if (source === "passphrase") {
    const passphrase = yield* options.passphrase(true)
    if (passphrase === null) return yield* noPassphrase
    if (passphrase.length < minPassphraseLength) {
      return yield* failed(`a passphrase has at least ${minPassphraseLength} characters`, "choose a longer one")
    }
    return fromPassphrase(passphrase)
  }
  const known = yield* source === "file" ? readText(keyFile(options)) : options.keyring.read(options.directory)
  if (known !== null) return fromIdentity(known.trim())
  const { generateX25519Identity } = yield* age
  const identity = yield* Effect.promise(() => generateX25519Identity())
  yield* source === "file"
    ? replaceText(keyFile(options), `${identity}\n`)
    : options.keyring.write(options.directory, identity)
  return fromIdentity(identity)
})

const fromIdentity = (identity: string): VaultKey => ({
  decrypt: decrypting((decrypter) => decrypter.addIdentity(identity)),
  encrypt: (text) =>
    Effect.flatMap(age, ({ Encrypter, identityToRecipient }) =>
      Effect.promise(() =>
        identityToRecipient(identity).then((recipient) => {
          const encrypter = new Encrypter()
          encrypter.addRecipient(recipient)
          return encoded(encrypter, text)
        })
      )
    )
})

const fromPassphrase = (passphrase: string): VaultKey => ({
  decrypt: decrypting((decrypter) => decrypter.addPassphrase(passphrase)),
  encrypt: (text) =>
    Effect.flatMap(age, ({ Encrypter }) =>
      Effect.promise(() => {
        const encrypter = new Encrypter()
        encrypter.setPassphrase(passphrase)
        return encoded(encrypter, text)
      })
    )
})

const encoded = (encrypter: Encrypter, text: string): Promise<string> =>
  encrypter.encrypt(text).then((file) => Buffer.from(file).toString("base64"))

/** Decrypts the entries; null: the key is a different one, or the file is damaged. */
const decrypting =
  (addKey: (decrypter: Decrypter) => void): VaultKey["decrypt"] =>
  (file) =>
    Effect.flatMap(age, ({ Decrypter }) =>
      Effect.orElseSucceed(
        Effect.tryPromise(() => {
          const decrypter = new Decrypter()
          addKey(decrypter)
          return decrypter.decrypt(Buffer.from(file, "base64"), "text")
        }),
        () => null
      )
    )

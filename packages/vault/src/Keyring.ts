/**
 * The platform's keyring: the Keychain of macOS, the Credential Manager of Windows, the Secret Service of Linux. The library
 * is an optional dependency with a binary for each platform, so it is loaded with the first use and may be missing.
 */
import * as Effect from "effect/Effect"
import { failed, type VaultFailed } from "./VaultFailed.ts"

const service = "bough vault"

export interface Keyring {
  /** Returns the key that is stored for the account; null: there is none. */
  readonly read: (account: string) => Effect.Effect<string | null, VaultFailed>
  readonly write: (account: string, key: string) => Effect.Effect<void, VaultFailed>
}

const hint = 'unlock or start it, or store the key in a file: "bough vault set NAME --key file"'

const unavailable = (cause: unknown): VaultFailed =>
  failed(`the platform's keyring cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, hint)

const entry = (account: string) =>
  Effect.tryPromise({ try: () => import("@napi-rs/keyring"), catch: unavailable }).pipe(
    Effect.flatMap(({ AsyncEntry }) =>
      // The kernel's own keyring, to which the library falls back, is empty after a restart.
      Effect.try({
        try: () => new AsyncEntry(service, account, { linux: { store: "secret-service" } }),
        catch: unavailable
      })
    )
  )

export const platform: Keyring = {
  read: (account) =>
    Effect.flatMap(entry(account), (found) =>
      Effect.map(Effect.tryPromise({ try: () => found.getPassword(), catch: unavailable }), (key) => key ?? null)
    ),
  write: (account, key) =>
    Effect.flatMap(entry(account), (found) =>
      Effect.tryPromise({ try: () => found.setPassword(key), catch: unavailable })
    )
}

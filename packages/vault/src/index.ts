/** Secrets of a user, encrypted on the disk, and the list of their copies. */
export * as Copies from "./Copies.ts"
export * as EntryName from "./EntryName.ts"
export * as Keyring from "./Keyring.ts"
export { knownParts } from "./KnownParts.ts"
export * as Vault from "./Vault.ts"
export { VaultFailed } from "./VaultFailed.ts"
export { KeySource } from "./VaultFile.ts"

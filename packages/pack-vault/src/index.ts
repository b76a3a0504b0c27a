/** The tool of the user's vault, alone and as a pack. */
export { CopyFromVault, VaultCopied } from "./CopyFromVault.ts"
export * as VaultPack from "./VaultPack.ts"

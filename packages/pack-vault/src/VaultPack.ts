/** A digest of the present content would be a digest of a secret. */
import { ToolPack } from "@bough/tool"
import { CopyFromVault } from "./CopyFromVault.ts"

/** All tools, for a Main or a Branch. */
export const all = ToolPack.named("vault", ToolPack.make(CopyFromVault))

/** The tool of the user's vault. A Worker has none. */
import { ToolPack } from "@bough/tool"
import { CopyFromVault } from "./CopyFromVault.ts"

/** All tools, for a Main or a Branch. */
export const all = ToolPack.named("vault", ToolPack.make(CopyFromVault))

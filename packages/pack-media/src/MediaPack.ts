/** The tools of attachments and sent files. A Worker has none. */
import { ToolPack } from "@bough/tool"
import { SaveAttachment } from "./SaveAttachment.ts"
import { SendMedia } from "./SendMedia.ts"

/** All tools, for a Main or a Branch. */
export const all = ToolPack.named("media", ToolPack.make(SaveAttachment, SendMedia))

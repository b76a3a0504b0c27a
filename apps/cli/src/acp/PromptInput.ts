/** A prompt of an editor as a message: its texts, the files that it links and embeds, and its images. Pure. */
import type { Session } from "@bough/runtime"
import { fileURLToPath } from "node:url"
import type { ContentBlock } from "./Protocol.ts"

export const fromBlocks = (blocks: ReadonlyArray<ContentBlock>): Session.UserInput => ({
  text: blocks.map(textOf).join("").trim(),
  media: blocks.flatMap((block) => (block.type === "image" ? [{ mediaType: block.mimeType, data: block.data }] : []))
})

const textOf = (block: ContentBlock): string => {
  switch (block.type) {
    case "text":
      return block.text
    case "image":
      return ""
    case "resource_link":
      return pathOrUrl(block.uri)
    case "resource":
      return `\n\n${pathOrUrl(block.resource.uri)}:\n${block.resource.text}\n\n`
  }
}

/** Returns the path of a file, or any other address unchanged. */
const pathOrUrl = (uri: string): string => {
  if (!URL.canParse(uri)) return uri
  const url = new URL(uri)
  // An encoded slash or another host makes no path.
  return url.protocol === "file:" && url.host === "" && !/%2f/iu.test(url.pathname) ? fileURLToPath(url) : uri
}

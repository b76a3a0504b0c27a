/** The web tools. A Worker may have `readOnly`. */
import { ToolPack } from "@bough/tool"
import { HttpGet } from "./HttpGet.ts"
import { HttpRequest } from "./HttpRequest.ts"
import { WebFetch } from "./WebFetch.ts"
import { WebSearch } from "./WebSearch.ts"

/** The tools that a Worker may have. */
export const readOnly = ToolPack.named("web", ToolPack.make(WebFetch, WebSearch, HttpGet))

/** All tools, for a Main or a Branch, including requests of every method. */
export const all = ToolPack.named("web", ToolPack.merge(readOnly, ToolPack.make(HttpRequest)))

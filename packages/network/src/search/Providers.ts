/** The search providers by their names in a configuration. */
import { Bing } from "./Bing.ts"
import { Brave } from "./Brave.ts"
import { DuckDuckGo } from "./DuckDuckGo.ts"
import { Google } from "./Google.ts"
import type { Provider } from "./Provider.ts"
import { SearXNG } from "./SearXNG.ts"
import { Tavily } from "./Tavily.ts"

export const providers = {
  tavily: Tavily,
  google: Google,
  bing: Bing,
  duckduckgo: DuckDuckGo,
  brave: Brave,
  searxng: SearXNG
} as const satisfies Readonly<Record<string, Provider>>

export type Name = keyof typeof providers

export const names = Object.keys(providers) as ReadonlyArray<Name>

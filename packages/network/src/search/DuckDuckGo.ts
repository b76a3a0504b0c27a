/** DuckDuckGo's page for browsers without scripts. It needs no key, and its format may change at any time. */
import type { NetworkRead } from "@bough/tool"
import { attribute, plain } from "./Markup.ts"
import { get, type Provider } from "./Provider.ts"

const link = /<a\b([^>]*\bclass="[^"]*\bresult__a\b[^"]*"[^>]*)>([\s\S]*?)<\/a>/g
const snippet = /<a\b[^>]*\bclass="[^"]*\bresult__snippet\b[^"]*"[^>]*>([\s\S]*?)<\/a>/

export const DuckDuckGo: Provider = {
  title: "DuckDuckGo",
  endpoint: "https://html.duckduckgo.com/html/",
  needs: [],
  request: ({ endpoint, query }) => get(endpoint, { q: query }, { accept: "text/html" }),
  results: (page) => {
    const found = [...page.matchAll(link)]
    // The page that asks whether the user is a robot has neither results nor these words.
    if (found.length === 0) return /no-results|No results/.test(page) ? [] : null
    return found.flatMap((match, index): ReadonlyArray<NetworkRead.SearchResult> => {
      const url = destination(attribute(match[1], "href") ?? "")
      if (url === null) return []
      const rest = page.slice(match.index, found[index + 1]?.index)
      return [{ title: plain(match[2]), url, snippet: plain(snippet.exec(rest)?.[1] ?? "") }]
    })
  }
}

/** Returns the target of a link: the links lead through a counter that names it. Advertisements name none. */
const destination = (href: string): string | null => {
  const url = URL.parse(href, "https://duckduckgo.com/")
  const real = url?.pathname === "/l/" ? url.searchParams.get("uddg") : (url?.href ?? null)
  return real !== null && /^https?:\/\//.test(real) && !/^https?:\/\/duckduckgo\.com\//.test(real) ? real : null
}

/** Checks the settings of web search, without a request to the provider. */
import type { Settings } from "@bough/host/config/Settings"
import * as Effect from "effect/Effect"
import type { Program } from "../Program.ts"
import { type Check, pass, problem } from "./Check.ts"

// Loaded only here, because a session loads these modules at its first search.
const searching = Effect.all({
  Providers: Effect.promise(() => import("@bough/network/search/Providers")),
  Search: Effect.promise(() => import("@bough/network/Search"))
})

export const checkSearch = Effect.fnUntraced(function* (
  { name: program }: Program,
  { network: { search } }: Settings
): Effect.fn.Return<Check> {
  const name = "search"
  const { Providers, Search } = yield* searching
  if (search === null) {
    return pass(
      name,
      `none configured: set search.provider to one of ${Providers.names.join(", ")} to enable web_search`
    )
  }
  const missing = Search.lacks(search).map((key) => `search.${key}`)
  const { title } = Providers.providers[search.provider]
  return missing.length === 0
    ? pass(name, `${title}${search.endpoint === undefined ? "" : ` at ${search.endpoint}`}`)
    : problem(name, `${title} needs ${missing.join(" and ")}`, `run "${program} config set ${missing[0]} VALUE"`)
})

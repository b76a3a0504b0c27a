/** The tools of an app's packs: by kind of session, by name, and those that rules may name. Pure. */
import type { Session } from "@bough/protocol"
import type { SessionKind, Tool } from "@bough/tool"
import type { Packs } from "../Packs.ts"
import * as ReadSkill from "../skills/ReadSkill.ts"

export const kinds = ["Main", "Branch", "Worker"] as const

export const toolsOf = (packs: Packs, kind: Session.Kind): SessionKind.KindTools =>
  ({ Main: packs.main, Branch: packs.branch ?? packs.main, Worker: packs.worker })[kind]

/** Caches a map per set of packs, which all sessions of an app share. */
const cachePerPacks = <A extends object>(make: (packs: Packs) => A): ((packs: Packs) => A) => {
  const cache = new WeakMap<Packs, A>()
  return (packs) => {
    const known = cache.get(packs) ?? make(packs)
    cache.set(packs, known)
    return known
  }
}

/** Every tool of the packs by name, from all kinds of session. */
export const registryOf = cachePerPacks(
  (packs): ReadonlyMap<string, Tool.Any> =>
    new Map(kinds.flatMap((kind) => Object.entries<Tool.Any>(toolsOf(packs, kind).pack.tools)))
)

/** The pack of each tool by name; tools of an unnamed pack are missing here. */
export const packNamesOf = (packs: Packs): ReadonlyMap<string, string> =>
  new Map(kinds.flatMap((kind) => Object.entries(toolsOf(packs, kind).pack.packNames)))

/** The roles that tools declare, by name. */
export const rolesOf = (packs: Packs): ReadonlyMap<string, Tool.Role> =>
  new Map([...registryOf(packs)].flatMap(([name, { role }]) => (role === null ? [] : [[name, role] as const])))

/** The tools that rules may name, including `read_skill`, which a session has only if there are skills. */
export const ruledTools = cachePerPacks((packs): ReadonlyMap<string, Tool.Any> =>
  new Map(registryOf(packs)).set(ReadSkill.name, ReadSkill.make([]))
)

/** The tools that are declared from the first request on; the others are found by a search. */
export const coreTools = cachePerPacks(
  (packs): ReadonlySet<string> => new Set([...(packs.core ?? registryOf(packs).keys()), ReadSkill.name])
)

/** Bough's names for servers' tools: `server__tool`, in characters that every provider accepts. Pure. */
import { Canonical } from "@bough/protocol"

const separator = "__"
const maxLength = 64
const digestLength = 6

/** Reduces text to lower-case letters, digits and single underscores. */
const toSnakeCase = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "_")
    .replaceAll(/^_+|_+$/gu, "")

/** The prefix of all names of a server's tools. */
export const prefixOf = (server: string): string => {
  const name = toSnakeCase(server)
  const safe = name === "" ? `server_${shortDigest(server)}` : /^[a-z]/u.test(name) ? name : `s${name}`
  return `${truncate(safe, maxLength / 2)}${separator}`
}

/**
 * Returns a label for each server: its name, or a name with a digest if its tools would have the same prefix as those of
 * another server. Labels do not depend on the order of the servers.
 */
export const labelsOf = (servers: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const alike = Map.groupBy(servers, prefixOf)
  return new Map(
    servers.map((server) => [
      server,
      alike.get(prefixOf(server))?.length === 1
        ? server
        : `${toSnakeCase(server).slice(0, maxLength / 4)}_${shortDigest(server)}`
    ])
  )
}

const truncate = (name: string, length: number): string =>
  name.length <= length ? name : `${name.slice(0, length - digestLength - 1)}_${shortDigest(name)}`

const shortDigest = (text: string): string => Canonical.digest(text).slice("sha256:".length).slice(0, digestLength)

export interface NamedTool {
  /** The name that the server uses. */
  readonly tool: string
  readonly name: string
}

/**
 * Returns a name for each tool, and the tools whose names would collide. Names do not depend on the order of the list.
 */
export const namesOf = (
  server: string,
  tools: ReadonlyArray<string>
): { readonly named: ReadonlyArray<NamedTool>; readonly collisions: ReadonlyArray<string> } => {
  const prefix = prefixOf(server)
  const plain = (tool: string): string => prefix + truncate(toSnakeCase(tool) || "tool", maxLength - prefix.length)
  const distinct = [...new Set(tools)]
  const toolsByName = Map.groupBy(distinct, plain)
  const withDigest = (tool: string): string => {
    const maxPrefix = maxLength - digestLength - 1
    return `${plain(tool).slice(0, maxPrefix)}_${shortDigest(tool)}`
  }
  const collisions = new Set(distinct.filter((tool) => toolsByName.get(plain(tool))?.length !== 1))
  // The plain name of another tool may equal a name with a digest: it gets a digest too. The set grows meanwhile.
  for (const collision of collisions)
    for (const tool of toolsByName.get(withDigest(collision)) ?? []) collisions.add(tool)
  const named = distinct.map((tool) => ({ tool, name: collisions.has(tool) ? withDigest(tool) : plain(tool) }))
  // Equal digests are not expected; then the tool whose name sorts last has the name.
  const unique = new Map(named.toSorted((one, other) => (one.tool < other.tool ? -1 : 1)).map((one) => [one.name, one]))
  return { named: named.filter((one) => unique.get(one.name) === one), collisions: [...collisions] }
}

/**
 * The server's part in the names of its prompts and in references to its resources: lower-case letters, digits and `_`.
 */
export const shortName = (server: string): string => prefixOf(server).slice(0, -separator.length)

/** Names each prompt `server:prompt`, in characters that a command may contain. */
export const commandsOf = (server: string, prompts: ReadonlyArray<string>): ReadonlyArray<NamedTool> => {
  const prefix = prefixOf(server)
  return namesOf(server, prompts).named.map(({ name, tool }) => ({
    tool,
    name: `${shortName(server)}:${name.slice(prefix.length)}`
  }))
}

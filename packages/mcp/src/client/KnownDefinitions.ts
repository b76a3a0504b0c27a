/**
 * The definitions of servers' tools. Listed definitions are available to a session before the server is connected.
 * Approved definitions are compared with the current ones: a changed definition requires a new approval, and so does a
 * server whose program or address has changed.
 */
import { Canonical } from "@bough/protocol"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ServerConfig } from "../ServerConfig.ts"
import type { Definition } from "./Definition.ts"
import type { Ports } from "./Ports.ts"

export interface KnownDefinitions {
  readonly listed: (server: ServerConfig) => ReadonlyArray<Definition>
  readonly remember: (server: ServerConfig, definitions: ReadonlyArray<Definition>) => void
  readonly isChanged: (server: ServerConfig, definition: Pick<Definition, "digest" | "tool">) => boolean
  readonly approve: (server: ServerConfig, definition: Pick<Definition, "digest" | "tool">) => void
}

const StoredDefinitions = Schema.fromJsonString(
  Schema.Struct({
    v: Schema.Literal(1),
    definitions: Schema.Array(
      Schema.Struct({
        tool: Schema.String,
        description: Schema.String,
        inputSchema: Schema.Record(Schema.String, Schema.Json),
        digest: Schema.String,
        hints: Schema.String
      })
    ),
    /** The digests of approved definitions, by tool. */
    approved: Schema.Record(Schema.String, Schema.String)
  })
)
type StoredDefinitions = typeof StoredDefinitions.Type

const decode = Schema.decodeUnknownOption(StoredDefinitions)

const empty: StoredDefinitions = { v: 1, definitions: [], approved: {} }

/**
 * Returns the key of a server. With another program or address it counts as another server; variables and headers may
 * contain secrets, and are left out.
 */
const keyOf = ({ name, transport }: ServerConfig): string =>
  Canonical.digestOf(
    transport._tag === "Stdio"
      ? { name, command: transport.command, args: transport.args, cwd: transport.cwd ?? null }
      : { name, url: transport.url }
  ).slice("sha256:".length)

const StoredNames = Schema.fromJsonString(Schema.Struct({ v: Schema.Literal(1), tools: Schema.Array(Schema.String) }))
const decodeNames = Schema.decodeUnknownOption(StoredNames)

/** The key of the tools that were approved for any server with this name. */
const keyOfName = ({ name }: ServerConfig): string => Canonical.digestOf({ approvedOf: name }).slice("sha256:".length)

/** Stores definitions in `memory`. A damaged text counts as missing. */
export const make = (memory: Ports["memory"]): KnownDefinitions => {
  const known = new Map<string, StoredDefinitions>()
  const read = (server: ServerConfig): StoredDefinitions => {
    const key = keyOf(server)
    const found = known.get(key) ?? Option.getOrElse(decode(memory.recall(key)), () => empty)
    known.set(key, found)
    return found
  }
  const write = (server: ServerConfig, stored: StoredDefinitions): void => {
    const key = keyOf(server)
    known.set(key, stored)
    memory.remember(key, JSON.stringify(stored))
  }
  const approvedOfName = (server: ServerConfig): ReadonlyArray<string> =>
    Option.match(decodeNames(memory.recall(keyOfName(server))), { onNone: () => [], onSome: ({ tools }) => tools })
  return {
    listed: (server) => read(server).definitions,
    remember: (server, definitions) => {
      const stored = read(server)
      const listed = definitions as StoredDefinitions["definitions"]
      if (Canonical.stringify(stored.definitions) !== Canonical.stringify(listed)) {
        write(server, { ...stored, definitions: listed })
      }
    },
    isChanged: (server, { digest, tool }) => {
      const { approved } = read(server)
      return Object.hasOwn(approved, tool) ? approved[tool] !== digest : approvedOfName(server).includes(tool)
    },
    approve: (server, { digest, tool }) => {
      const stored = read(server)
      if (stored.approved[tool] === digest) return
      write(server, { ...stored, approved: { ...stored.approved, [tool]: digest } })
      const tools = approvedOfName(server)
      if (!tools.includes(tool)) {
        memory.remember(keyOfName(server), JSON.stringify({ v: 1, tools: [...tools, tool] }))
      }
    }
  }
}

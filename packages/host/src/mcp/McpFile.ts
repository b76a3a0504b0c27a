/** Reads a project's `.mcp.json`, which other programs write too: unknown keys are ignored. */
import * as StrictJson from "@bough/protocol/StrictJson"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { ProjectServer } from "./McpSettings.ts"

const text = Schema.optionalKey(Schema.NonEmptyString)
const byName = Schema.optionalKey(Schema.Record(Schema.String, Schema.String))

const decode = Schema.decodeUnknownOption(
  Schema.Struct({
    command: text,
    args: Schema.optionalKey(Schema.Array(Schema.String)),
    env: byName,
    cwd: text,
    url: text,
    headers: byName,
    type: Schema.optionalKey(Schema.Literals(["stdio", "http", "sse", "streamable-http"]))
  })
)

export interface McpFile {
  readonly servers: Readonly<Record<string, ProjectServer>>
  /** Sentences for the user about ignored servers. */
  readonly notices: ReadonlyArray<string>
}

/** Reads the text of the file `name`. An invalid server does not affect the others. */
export const read = (name: string, content: string): McpFile => {
  const parsed = StrictJson.parse(content)
  if (Result.isFailure(parsed)) return { servers: {}, notices: [`${name} is not used: it is not JSON`] }
  const listed = Predicate.isReadonlyObject(parsed.success) ? parsed.success["mcpServers"] : undefined
  if (!Predicate.isReadonlyObject(listed))
    return { servers: {}, notices: [`${name} is not used: it has no mcpServers`] }
  const results = Object.entries(listed).map(([server, declared]) => [server, readServer(declared)] as const)
  return {
    servers: Object.fromEntries(
      results.flatMap(([server, result]) => (typeof result === "string" ? [] : [[server, result]]))
    ),
    notices: results.flatMap(([server, result]) =>
      typeof result === "string" ? [`${name}: the server ${JSON.stringify(server)} is not used: ${result}`] : []
    )
  }
}

/**
 * Matches a reference to a variable of the operator. It is refused, because the project could send the value anywhere.
 */
const variable = /\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[^}]*)?\}/u

/** Returns the server, or the reason why it cannot be used. */
const readServer = (declared: unknown): ProjectServer | string => {
  const decoded = decode(declared)
  if (Option.isNone(decoded))
    return "one of its keys has a value of the wrong type (command, args, env, cwd, url, headers, type)"
  const found = variable.exec(JSON.stringify(decoded.value))
  if (found !== null) {
    return `${found[0]} is expanded only in your own configuration: put env or headers of the server there, under mcpServers and the same name`
  }
  const { type, ...rest } = decoded.value
  return { ...rest, ...(type === undefined ? {} : { type: type === "streamable-http" ? "http" : type }) }
}

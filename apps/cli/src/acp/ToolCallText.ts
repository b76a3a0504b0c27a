/** A call as an editor shows it: its title, kind and files. Pure. */
import type { Tool } from "@bough/tool"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isAbsolute, join } from "node:path"
import * as CallText from "../format/CallText.ts"
import type { ToolKind } from "./Protocol.ts"

/** The kinds by the verb with which a tool's name begins. */
const kinds: ReadonlyMap<string, ToolKind> = new Map([
  ["read", "read"],
  ["list", "search"],
  ["find", "search"],
  ["search", "search"],
  ["write", "edit"],
  ["edit", "edit"],
  ["delete", "delete"],
  ["move", "move"],
  ["copy", "move"],
  ["run", "execute"],
  ["start", "execute"],
  ["web", "fetch"],
  ["http", "fetch"],
  ["download", "fetch"]
])

export const kindOf = (tool: string, role: Tool.Role | null): ToolKind =>
  role === "Command" ? "execute" : (kinds.get(tool.split("_", 1)[0]) ?? "other")

const maxTitleLength = 200

export const titleOf = (tool: string, callArguments: string, role: Tool.Role | null): string =>
  CallText.callLine(tool, callArguments, role).split("\n", 1)[0].slice(0, maxTitleLength)

const Located = Schema.fromJsonString(Schema.Struct({ path: Schema.String }))

/** Returns the absolute path of the file that a call names; empty: it names none. */
export const locationsOf = (callArguments: string, workspaceRoot: string): ReadonlyArray<{ readonly path: string }> =>
  Option.match(Schema.decodeUnknownOption(Located)(callArguments), {
    onNone: () => [],
    onSome: ({ path }) => [{ path: isAbsolute(path) ? path : join(workspaceRoot, path) }]
  })

/** Returns the arguments as data; text other than JSON is returned unchanged. */
export const inputOf = (callArguments: string): unknown =>
  Option.getOrElse(
    Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))(callArguments),
    () => callArguments
  )

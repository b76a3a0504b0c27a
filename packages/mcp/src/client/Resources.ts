/** Resources of a server as two tools: one lists them, the other reads one. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import * as CallResult from "./CallResult.ts"
import * as Definition from "./Definition.ts"

const listing = "list_resources"
const readTool = "read_resource"
const maxListed = 500

const listed = [
  {
    name: listing,
    description: "List the resources of this server: URI, name and description",
    inputSchema: {
      type: "object",
      properties: { cursor: { type: "string", description: "The cursor of the next page" } }
    },
    annotations: { readOnlyHint: true }
  },
  {
    name: readTool,
    description: "Read a resource of this server",
    inputSchema: { type: "object", properties: { uri: { type: "string" } }, required: ["uri"] },
    annotations: { readOnlyHint: true }
  }
]

/**
 * The tools for the resources of a server; none for a server without resources, and none with the name of one of the
 * server's tools.
 */
export const definitionsFor = (client: Client, tools: ReadonlySet<string>): ReadonlyArray<Definition.Definition> =>
  client.getServerCapabilities()?.resources === undefined
    ? []
    : listed.flatMap((tool) => (tools.has(tool.name) ? [] : (Definition.read(tool) ?? [])))

interface RequestOptions {
  readonly signal: AbortSignal
  readonly timeout: number
}

/** Calls one of these tools; null: the tool is one of the server's own. */
export const call = (
  client: Client,
  { arguments: callArguments, tool }: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> },
  options: RequestOptions
): Promise<CallResult.CallResult> =>
  tool === listing
    ? client
        .listResources(typeof callArguments["cursor"] === "string" ? { cursor: callArguments["cursor"] } : {}, options)
        .then(({ nextCursor, resources }) =>
          CallResult.read({ content: [{ type: "text", text: textOf(resources, nextCursor) }] })
        )
    : read(client, String(callArguments["uri"]), options)

export const read = (client: Client, uri: string, options: RequestOptions): Promise<CallResult.CallResult> =>
  client
    .readResource({ uri }, options)
    .then(({ contents }) => CallResult.read({ content: contents.map((resource) => ({ type: "resource", resource })) }))

interface ListedResource {
  readonly uri: string
  readonly name: string
  readonly description?: string | undefined
}

const textOf = (resources: ReadonlyArray<ListedResource>, nextCursor: string | undefined): string =>
  [
    ...resources
      .slice(0, maxListed)
      .map(({ description, name, uri }) => [uri, name, description].filter((part) => part !== undefined).join("  ")),
    ...(nextCursor === undefined ? [] : [`more with the cursor ${nextCursor}`])
  ].join("\n") || "it has none"

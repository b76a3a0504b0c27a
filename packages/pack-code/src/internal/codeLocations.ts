/** Locations that a server found, each with the text of its line. Files that the call may not read are left out. */
import { Capability, type CodeIntelligence } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { countOf } from "./outputs.ts"
import { maxLocations } from "./symbolFields.ts"

export const LocationsOutput = Schema.Struct({
  places: Schema.Array(
    Schema.Struct({ path: Schema.String, line: Schema.Natural, column: Schema.Natural, text: Schema.String })
  ),
  omitted: Schema.Natural
})
type LocationsOutput = typeof LocationsOutput.Type

const maxFileBytes = 4 * 1024 * 1024
const maxLineLength = 200
const readAtOnce = 8

/** Adds the lines, reading each file once. */
export const withLines = Effect.fnUntraced(function* ({
  items,
  omitted
}: CodeIntelligence.Results<CodeIntelligence.Location>) {
  const workspace = yield* Capability.WorkspaceRead
  const shown = items.slice(0, maxLocations)
  const paths = [...new Set(shown.map(({ path }) => path))]
  const linesOf = new Map(
    yield* Effect.forEach(
      paths,
      (path) =>
        Effect.match(workspace.readFile(path, maxFileBytes), {
          onFailure: () => [path, null] as const,
          onSuccess: ({ bytes }) => [path, new TextDecoder().decode(bytes).split(/\r\n|\n|\r/u)] as const
        }),
      { concurrency: readAtOnce }
    )
  )
  const places = shown.flatMap(({ column, line, path }) => {
    const text = linesOf.get(path)?.[line - 1]
    return text === undefined ? [] : [{ path, line, column, text: text.trim().slice(0, maxLineLength) }]
  })
  const output: LocationsOutput = { places, omitted: omitted + items.length - places.length }
  return output
})

export const forModel = ({ omitted, places }: LocationsOutput): string =>
  [
    ...(places.length === 0 ? ["[nothing found]"] : places.map(lineOf)),
    ...(omitted === 0
      ? []
      : [`[${countOf(omitted, "more place")} outside the workspace, withheld or beyond the bound]`])
  ].join("\n")

const lineOf = ({ column, line, path, text }: LocationsOutput["places"][number]): string =>
  `${path}:${line}:${column}: ${text}`

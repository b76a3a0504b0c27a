/** The npm packages of a workspace, whose modules import each other by name. */
import { Capability } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { dirname } from "node:path/posix"
import type { WorkspacePackage } from "./importGraph.ts"

const maxPackages = 500
const maxFileBytes = 256 * 1024
const readAtOnce = 8

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      name: Schema.NonEmptyString,
      main: Schema.optionalKey(Schema.String),
      exports: Schema.optionalKey(Schema.Unknown)
    })
  )
)

/** Finds the packages; manifests that cannot be read or have no name are left out. */
export const packagesIn = Effect.fnUntraced(function* (path: string) {
  const workspace = yield* Capability.WorkspaceRead
  const { items } = yield* workspace.find("package.json", path, maxPackages)
  const found = yield* Effect.forEach(
    items,
    (file) =>
      Effect.match(workspace.readFile(file, maxFileBytes), {
        onFailure: () => null,
        onSuccess: ({ bytes }) => packageOf(dirname(file), new TextDecoder().decode(bytes))
      }),
    { concurrency: readAtOnce }
  )
  return found.flatMap((one) => one ?? [])
})

const packageOf = (directory: string, text: string): WorkspacePackage | null => {
  const manifest = Option.getOrNull(decode(text))
  if (manifest === null) return null
  const { exports, main, name } = manifest
  const listed = entriesOf(exports)
  return { directory, name, entries: listed.length > 0 || main === undefined ? listed : [[".", main]] }
}

/** Returns the first file of each subpath, regardless of its conditions. */
const entriesOf = (exports: unknown): WorkspacePackage["entries"] => {
  if (typeof exports === "string") return [[".", exports]]
  if (exports === null || typeof exports !== "object") return []
  const named = Object.entries(exports)
  if (!named.some(([key]) => key.startsWith("."))) return fileOf(exports).map((file) => [".", file] as const)
  return named.flatMap(([key, value]) => fileOf(value).map((file) => [key, file] as const))
}

const fileOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (value === null || typeof value !== "object") return []
  return Object.values(value).flatMap(fileOf).slice(0, 1)
}

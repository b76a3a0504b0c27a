/** `lsp_rename`: renames a symbol everywhere it is used; changes no file if one cannot be changed. */
import { ToolError } from "@bough/protocol"
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { countOf } from "./internal/outputs.ts"
import * as Renaming from "./internal/renaming.ts"
import * as Fields from "./internal/symbolFields.ts"

/** Some language servers write any text into the files. */
const Name = Schema.String.check(
  Schema.isPattern(/^[^\s()[\]{}<>,;"'`]+$/u, { message: "must be one name, without spaces, brackets and quotes" })
)

const Parameters = Schema.Struct({ ...Fields.symbol, newName: Name })

const planFor = Effect.fnUntraced(function* (parameters: typeof Parameters.Type) {
  const { name, newName, path } = parameters
  const code = yield* Capability.CodeIntelligence
  const edits = yield* code.rename(path, yield* Fields.positionOf(parameters), newName)
  const files = yield* Renaming.plan(edits, { name, newName })
  if (files.length === 0) {
    return yield* new ToolError.ExecutionError({ message: `the language server finds no place where ${name} is used` })
  }
  return files
})

export const LspRename = Tool.make("lsp_rename", {
  version: 1,
  description: "Rename a symbol in all files that use it, by its language server",
  tier: "Workspace",
  replay: "Unsafe",
  timeoutMillis: 90_000,
  capabilities: [Capability.CodeIntelligence, Capability.WorkspaceRead, Capability.WorkspaceWrite],
  requires: ["CodeIntelligence"],
  parameters: Parameters,
  output: Schema.Struct({
    files: Schema.Array(Schema.Struct({ path: Schema.String, places: Schema.Natural, digest: Schema.String }))
  }),
  forModel: ({ files }) => files.map(({ path, places }) => `${path}: ${countOf(places, "place")}`).join("\n"),
  preview: Effect.fnUntraced(function* (parameters) {
    const files = yield* planFor(parameters)
    return {
      render: files.map(renderFile).join("\n"),
      preconditions: files.map(({ digest, path }) => ({ _tag: "FileDigest", path, digest }) as const)
    }
  }),
  execute: Effect.fnUntraced(function* (parameters) {
    const { name, newName } = parameters
    const workspace = yield* Capability.WorkspaceWrite
    const files = yield* planFor(parameters)
    const written: Array<{ readonly path: string; readonly bytes: number; readonly digest: string }> = []
    for (const { content, digest, path } of files) {
      const one = yield* Effect.mapError(workspace.writeFile(path, content, digest), (error) =>
        written.length === 0 ? error : incomplete(error, { path, written: written.map((file) => file.path) })
      )
      written.push(one)
    }
    return Tool.result({
      output: {
        files: written.map(({ digest, path }, at) => ({ path, digest, places: files[at]?.places ?? 0 }))
      },
      display: `Renamed ${name} to ${newName} in ${countOf(files.length, "file")}`,
      details: files.map(renderFile).join("\n"),
      artifacts: written.map(({ bytes, digest, path }) => ({ _tag: "FileWritten", path, bytes, digest }) as const)
    })
  })
})

const renderFile = ({ lines, path }: Renaming.RenamedFile): string =>
  [path, ...lines.flatMap(({ after, before, line }) => [`- ${line}: ${before}`, `+ ${line}: ${after}`])].join("\n")

/** Makes the failure for a file that another program changed between the plan and the write. */
const incomplete = (
  error: ToolError.ToolError,
  { path, written }: { readonly path: string; readonly written: ReadonlyArray<string> }
): ToolError.ExecutionError =>
  new ToolError.ExecutionError({
    message: `${written.join(", ")} was renamed, but ${path} and those after it were not: ${
      error._tag === "PermissionDenied" ? error.reason : error.message
    }`,
    hint: "rename the rest again, or undo the change"
  })

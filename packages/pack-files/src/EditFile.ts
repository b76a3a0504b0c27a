/** `edit_file`: replaces exact passages of a file, each of which occurs once. Either all edits are made, or none. */
import { ToolError } from "@bough/protocol"
import { TextFormat } from "@bough/text"
import { Capability, Tool, type WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Difference from "./internal/difference.ts"
import * as Edits from "./internal/edits.ts"
import * as Existing from "./internal/existing.ts"
import * as Fields from "./internal/fields.ts"
import * as FileTier from "./internal/fileTier.ts"

const Parameters = Schema.Struct({
  path: Fields.path,
  edits: Schema.NonEmptyArray(
    Schema.Struct({
      old: Schema.NonEmptyString.annotate({ description: "Text that occurs once" }),
      new: Schema.String,
      replaceAll: Schema.optionalKey(Schema.Boolean)
    })
  ).annotate({ description: "All or none" })
})
type Parameters = typeof Parameters.Type

export const EditFile = Tool.make("edit_file", {
  version: 2,
  description: "Replace exact passages of a text file",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.WorkspaceRead, Capability.WorkspaceWrite],
  parameters: Parameters,
  output: Schema.Struct({
    path: Schema.String,
    bytes: Schema.Natural,
    digest: Schema.String,
    changes: Schema.Array(
      Schema.Struct({
        line: Schema.Natural,
        removedLines: Schema.Natural,
        addedLines: Schema.Natural,
        times: Schema.optionalKey(Schema.Natural),
        exceptWhiteSpace: Schema.optionalKey(Schema.Literal(true))
      })
    )
  }),
  forModel: ({ changes, path }) => sentence(path, changes),
  classify: ({ path }) => FileTier.classifyWrite(path),
  preview: Effect.fnUntraced(function* (parameters) {
    const { edits, path } = parameters
    if (yield* Existing.isSecret(path)) {
      const workspace = yield* Capability.WorkspaceRead
      const passages = edits.map((one) => `${Difference.withMark("-", one.old)}${Difference.withMark("+", one.new)}`)
      return {
        render: Difference.hiddenDiff(path, passages.join("\n")),
        preconditions: [Difference.fileDigest(path, yield* workspace.digest(path))]
      }
    }
    const { edited, existing } = yield* edit(parameters)
    return {
      render: yield* Difference.unified(path, existing.text, edited.text),
      preconditions: [Difference.fileDigest(path, existing.digest)]
    }
  }),
  findExisting: Effect.fnUntraced(function* ({ edits, path }) {
    const existing = yield* Existing.read(path)
    if (existing === null || existing.text === null) return null
    // If reverting the edits and making them again gives the present text, this call has already made them.
    if (edits.some((one) => one.new === "" || one.replaceAll === true)) return null
    const undone = edits.toReversed().map((one) => ({ old: one.new, new: one.old }))
    const editedAgain = yield* Edits.apply(existing.text, undone, true).pipe(
      Effect.flatMap((before) => Edits.apply(before.text, edits, true)),
      Effect.option
    )
    const isDone = Option.isSome(editedAgain) && editedAgain.value.text === existing.text
    return isDone ? result({ ...existing, path }, editedAgain.value.changes, null) : null
  }),
  execute: Effect.fnUntraced(function* (parameters) {
    const { path } = parameters
    const workspace = yield* Capability.WorkspaceWrite
    const { edited, existing } = yield* edit(parameters)
    const content = yield* encode(path, edited.text, existing.format)
    const changed = (yield* Existing.isSecret(path)) ? null : yield* Difference.changed(existing.text, edited.text)
    const written = yield* workspace.writeFile(path, content, existing.digest)
    return result(written, edited.changes, changed)
  })
})

interface Text extends Existing.ExistingFile {
  readonly text: string
}

const edit = Effect.fnUntraced(function* ({
  edits,
  path
}: Parameters): Effect.fn.Return<
  { readonly existing: Text; readonly edited: Edits.EditedText },
  ToolError.ToolError,
  WorkspaceRead.WorkspaceRead
> {
  const existing = yield* Existing.read(path)
  if (existing === null) return yield* missingFile(path)
  const { text } = existing
  if (text === null) return yield* new ToolError.ExecutionError({ message: `${path} is binary: only text is edited` })
  const edited = yield* Effect.mapError(Edits.apply(text, edits), (why) => editMismatch(path, why))
  return { existing: { ...existing, text }, edited }
})

const missingFile = (path: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({ message: `${path} does not exist`, hint: "write_file makes new files" })

const editMismatch = (path: string, { index, message }: Edits.EditFault): ToolError.ValidationError => {
  const field = `edits.${index}.old`
  return new ToolError.ValidationError({
    message: `${field}: ${message} (${path} is unchanged)`,
    field,
    issues: [{ path: field, message }]
  })
}

const encode = (
  path: string,
  text: string,
  { encoding }: TextFormat.TextFormat
): Effect.Effect<Uint8Array, ToolError.ExecutionError> => {
  const content = TextFormat.encode(text, encoding)
  return content === null
    ? Effect.fail(
        new ToolError.ExecutionError({ message: `${path} is in ${encoding}, which has no character for the new text` })
      )
    : Effect.succeed(content)
}

const result = (
  { bytes, digest, path }: { readonly path: string; readonly bytes: number; readonly digest: string },
  changes: ReadonlyArray<Edits.Change>,
  changed: string | null
) =>
  Tool.result({
    output: { path, bytes, digest, changes },
    display: sentence(path, changes),
    ...(changed === null ? {} : { details: changed }),
    artifacts: [{ _tag: "FileWritten", path, bytes, digest }]
  })

const sentence = (
  path: string,
  changes: ReadonlyArray<Pick<Edits.Change, "line" | "times" | "exceptWhiteSpace">>
): string => {
  const places = changes.map(({ line, times }) => (times === undefined ? `${line}` : `${line} (${times} times)`))
  const loose = changes.filter(({ exceptWhiteSpace }) => exceptWhiteSpace === true).map(({ line }) => line)
  const note =
    loose.length === 0
      ? ""
      : `; old matched but for white space at line ${loose.join(", ")}, whose indentation new was given`
  return `Edited ${path} at ${changes.length === 1 ? "line" : "lines"} ${places.join(", ")}${note}`
}

/** `read_file`: returns a window of lines of a file or of a truncated output, or an image. */
import { Canonical, ToolError } from "@bough/protocol"
import { LineWindow, TextFormat } from "@bough/text"
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as ImageType from "@bough/tool/ImageType"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Buffer } from "node:buffer"
import * as Fields from "./internal/fields.ts"
import * as FileTier from "./internal/fileTier.ts"
import * as NumberedLines from "./internal/NumberedLines.ts"

const positive = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

const Parameters = Schema.Struct({
  path: Schema.NonEmptyString.annotate({ description: "Workspace path, or blob:<digest> of a cut output" }),
  fromLine: ToolSchema.withDefault(positive.annotate({ description: "1-based" }), 1),
  maxLines: ToolSchema.withDefault(positive.annotate({ description: "Most lines" }), 2000),
  commit: Fields.commit,
  fromByte: Schema.optionalKey(Schema.Natural.annotate({ description: "Instead of fromLine: the last endByte" }))
})

/**
 * The text from `startByte` to `endByte`, always with LF as line ending. More text follows if `endByte` < `totalBytes`.
 */
const Text = Schema.Struct({
  fromLine: Schema.Natural,
  lines: Schema.Natural,
  totalLines: Schema.optionalKey(Schema.Natural),
  startByte: Schema.Natural,
  endByte: Schema.Natural,
  totalBytes: Schema.Natural,
  digest: Schema.optionalKey(Schema.String),
  encoding: Schema.optionalKey(Schema.String),
  lineEnding: Schema.optionalKey(Schema.String),
  text: Schema.String
})

const Picture = Schema.Struct({ mediaType: Schema.String, totalBytes: Schema.Natural, digest: Schema.String })

/** The maximum number of bytes of a window for the model, so that the dispatcher need not truncate it. */
const maxModelBytes = 50 * 1024
/** The bytes that are reserved for the last line, which states the end of the window. */
const maxNumberedBytes = maxModelBytes - 512
const maxImageBytes = 4 * 1024 ** 2
const blobPrefix = "blob:"

export const ReadFile = Tool.make("read_file", {
  version: 2,
  description: "Read a text file, its lines numbered, or an image",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.WorkspaceRead, Capability.RepositoryRead, Capability.SpilledOutput],
  parameters: Parameters,
  output: Schema.Union([Text, Picture]),
  forModel: (output) =>
    "text" in output ? NumberedLines.format(output) : `[${output.mediaType}, ${output.totalBytes} bytes]`,
  maxModelBytes,
  classify: ({ path }) =>
    path.startsWith(blobPrefix) ? Effect.succeed({ tier: "ReadOnly" }) : FileTier.classifyRead(path),
  execute: Effect.fnUntraced(function* (parameters) {
    const { commit, path } = parameters
    const workspace = yield* Capability.WorkspaceRead
    const spilled = yield* Capability.SpilledOutput
    const held =
      commit !== undefined
        ? yield* committedBytes(commit, path)
        : path.startsWith(blobPrefix)
          ? yield* spilled.read(path.slice(blobPrefix.length))
          : null
    const read = held === null ? (range: LineWindow.LineRange) => workspace.readLines(path, range) : bytesReader(held)
    const window = yield* fitting(read, parameters)
    if (!window.binary) return textResult(path, window)
    const image =
      held === null ? yield* workspace.readFile(path, maxImageBytes) : { bytes: held, digest: Canonical.digest(held) }
    const mediaType = ImageType.fromBytes(image.bytes)
    if (mediaType === null) {
      return yield* new ToolError.ExecutionError({
        message: `${path} is binary (${window.totalBytes} bytes), and no PNG, JPEG, GIF or WebP image`,
        hint: "file_info tells its size; run_command may look inside"
      })
    }
    return Tool.result({
      output: { mediaType, totalBytes: image.bytes.length, digest: image.digest },
      display: `Read ${path}, an image of ${image.bytes.length} bytes`,
      media: [{ mediaType, data: Buffer.from(image.bytes).toString("base64") }]
    })
  })
})

type Reader<R> = (range: LineWindow.LineRange) => Effect.Effect<LineWindow.LineWindow, ToolError.ToolError, R>

const maxCommittedBytes = 16 * 1024 ** 2

const committedBytes = (commit: string, path: string) =>
  Effect.flatMap(Capability.RepositoryRead, (repository) => repository.readFile(commit, path, maxCommittedBytes))

const bytesReader =
  (bytes: Uint8Array): Reader<never> =>
  (range) =>
    Effect.sync(() => LineWindow.windowOf(bytes, range))

/** Returns the largest window whose numbered lines fit. */
const fitting = Effect.fnUntraced(function* (
  read: Reader<never>,
  { fromByte, fromLine, maxLines }: typeof Parameters.Type
): Effect.fn.Return<LineWindow.LineWindow, ToolError.ToolError> {
  for (let maxBytes = maxNumberedBytes; ;) {
    const window = yield* read({ fromLine, maxLines, maxBytes, ...(fromByte === undefined ? {} : { fromByte }) })
    if (window.binary) return window
    const length = Buffer.byteLength(NumberedLines.number(TextFormat.toLineFeeds(window.text), window.fromLine))
    if (length <= maxNumberedBytes) return window
    maxBytes = Math.floor((maxBytes * maxNumberedBytes * 0.95) / length)
  }
})

const textResult = (path: string, window: LineWindow.LineWindow) => {
  const { digest, encoding, endByte, fromLine, lines, startByte, totalBytes, totalLines } = window
  const lineEnding = TextFormat.lineEndingOf(window.text)
  const of = totalLines === null || totalLines === lines ? "" : ` of ${totalLines}`
  return Tool.result({
    output: {
      fromLine,
      lines,
      startByte,
      endByte,
      totalBytes,
      text: TextFormat.toLineFeeds(window.text),
      ...(totalLines === null ? {} : { totalLines }),
      ...(digest === null ? {} : { digest }),
      ...(encoding === "utf-8" ? {} : { encoding }),
      ...(lineEnding === "LF" ? {} : { lineEnding })
    },
    display: `Read ${path} (${lines}${of} ${lines === 1 && of === "" ? "line" : "lines"})`
  })
}

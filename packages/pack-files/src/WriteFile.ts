/** `write_file`: creates or replaces a file. A replaced file keeps its mode, encoding and line ending. */
import { Canonical } from "@bough/protocol"
import { TextFormat } from "@bough/text"
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Buffer } from "node:buffer"
import * as Difference from "./internal/difference.ts"
import * as Existing from "./internal/existing.ts"
import * as Fields from "./internal/fields.ts"
import * as FileTier from "./internal/fileTier.ts"

export const WriteFile = Tool.make("write_file", {
  version: 1,
  description: "Create or replace a text file",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.WorkspaceRead, Capability.WorkspaceWrite],
  parameters: Schema.Struct({ path: Fields.path, content: Schema.String }),
  output: Schema.Struct({
    path: Schema.String,
    bytes: Schema.Natural,
    digest: Schema.String,
    created: Schema.Boolean
  }),
  forModel: (written) => sentence(written),
  classify: ({ path }) => FileTier.classifyWrite(path),
  preview: Effect.fnUntraced(function* ({ content, path }) {
    if (yield* Existing.isSecret(path)) {
      const workspace = yield* Capability.WorkspaceRead
      return {
        render: Difference.hiddenDiff(path, Difference.withMark("+", content)),
        preconditions: [Difference.fileDigest(path, yield* workspace.digest(path))]
      }
    }
    const existing = yield* Existing.readAnySize(path)
    return {
      render:
        existing !== null && existing.text === null
          ? `${path}: ${existing.bytes} bytes that are not shown are replaced\n${Difference.withMark("+", content)}`
          : yield* Difference.unified(path, existing?.text ?? null, withLineEndsOf(existing, content)),
      preconditions: [Difference.fileDigest(path, existing?.digest ?? null)]
    }
  }),
  findExisting: Effect.fnUntraced(function* ({ content, path }) {
    const existing = yield* Existing.readAnySize(path)
    if (existing === null || existing.digest !== Canonical.digest(encodedLike(existing, content))) return null
    return result({ path, bytes: existing.bytes, digest: existing.digest, created: false }, null)
  }),
  execute: Effect.fnUntraced(function* ({ content, path }) {
    const workspace = yield* Capability.WorkspaceWrite
    const existing = yield* Existing.readAnySize(path)
    const isShown = existing?.text !== null && !(yield* Existing.isSecret(path))
    const changed = isShown
      ? yield* Difference.changed(existing?.text ?? null, withLineEndsOf(existing, content))
      : null
    const written = yield* workspace.writeFile(path, encodedLike(existing, content), existing?.digest ?? null)
    return result(written, changed)
  })
})

/** Uses CRLF in the new text if all lines of the old text end in CRLF. */
const withLineEndsOf = (existing: Existing.ExistingFile | null, content: string): string =>
  existing?.format.lineEnding === "CRLF" ? TextFormat.fromLineFeeds(TextFormat.toLineFeeds(content), "CRLF") : content

const encodedLike = (existing: Existing.ExistingFile | null, content: string): Uint8Array =>
  TextFormat.encode(withLineEndsOf(existing, content), existing?.format.encoding ?? "utf-8") ??
  Buffer.from(content, "utf8")

interface WriteOutcome {
  readonly path: string
  readonly bytes: number
  readonly digest: string
  readonly created: boolean
}

const result = ({ bytes, created, digest, path }: WriteOutcome, changed: string | null) =>
  Tool.result({
    output: { path, bytes, digest, created },
    display: sentence({ bytes, created, path }),
    ...(changed === null ? {} : { details: changed }),
    artifacts: [{ _tag: "FileWritten", path, bytes, digest }]
  })

const sentence = ({ bytes, created, path }: Omit<WriteOutcome, "digest">): string =>
  `${created ? "Created" : "Wrote"} ${path} (${bytes} bytes)`

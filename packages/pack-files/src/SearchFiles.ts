/** `search_files`: finds lines that match a regular expression, each with its location and the digest of its bytes. */
import { Capability, Tool, ToolSchema, type WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import { lines, pathText } from "./internal/lines.ts"

/** `digest` is the beginning of the SHA-256 digest of the bytes from `startByte` to `endByte`. */
const Hit = Schema.Struct({
  line: Schema.Natural,
  text: Schema.String,
  before: Schema.optionalKey(Schema.Array(Schema.String)),
  after: Schema.optionalKey(Schema.Array(Schema.String)),
  startByte: Schema.Natural,
  endByte: Schema.Natural,
  digest: Schema.String
})

const digestLength = "sha256:".length + 16

export const SearchFiles = Tool.make("search_files", {
  version: 1,
  description: "Search file contents; ignored files are left out",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.WorkspaceRead, Capability.RepositoryRead],
  parameters: Schema.Struct({
    pattern: Schema.NonEmptyString.annotate({ description: "Rust regex, one line" }),
    path: ToolSchema.withDefault(Schema.NonEmptyString.annotate({ description: "Directory or file" }), "."),
    globs: ToolSchema.withDefault(
      Schema.Array(Schema.NonEmptyString).annotate({ description: "Only these files; !glob leaves out" }),
      []
    ),
    literal: Fields.flag("Pattern is plain text"),
    ignoreCase: Fields.flag(),
    contextLines: ToolSchema.withDefault(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })).annotate({ description: "Around each hit" }),
      0
    ),
    commit: Fields.commit,
    limit: Fields.limit(50, 500)
  }),
  output: Schema.Struct({
    files: Schema.Array(Schema.Struct({ path: Schema.String, hits: Schema.Array(Hit) })),
    truncated: Schema.Boolean
  }),
  forModel: ({ files, truncated }) =>
    lines(
      files.flatMap(({ hits, path }) => hits.flatMap((hit) => linesOf(pathText(path), hit))),
      {
        none: "no line matches",
        more: truncated
      }
    ),
  execute: Effect.fnUntraced(function* ({ commit, contextLines, globs, ignoreCase, limit, literal, path, pattern }) {
    const workspace = yield* Capability.WorkspaceRead
    const repository = yield* Capability.RepositoryRead
    const wanted = { pattern, path, globs, literal, contextLines, limit, caseSensitive: !ignoreCase }
    const { items, truncated } = yield* commit === undefined
      ? workspace.search(wanted)
      : repository.search(commit, wanted)
    const files = [...Map.groupBy(items, (hit) => hit.path)].map(([path, hits]) => ({ path, hits: hits.map(hitOf) }))
    const count = items.length === 1 ? "1 hit" : `${items.length} hits`
    return Tool.result({
      output: { files, truncated },
      display: `Found ${truncated ? "more than " : ""}${count} for ${pattern}`
    })
  })
})

const hitOf = ({
  after,
  before,
  digest,
  endByte,
  line,
  startByte,
  text
}: WorkspaceRead.SearchHit): typeof Hit.Type => ({
  line,
  text,
  ...(before.length === 0 ? {} : { before }),
  ...(after.length === 0 ? {} : { after }),
  startByte,
  endByte,
  digest: digest.slice(0, digestLength)
})

/** Formats matches like grep: `path:line:text` for a match, `path-line-text` for its context. */
const linesOf = (path: string, { after, before, line, text }: typeof Hit.Type): ReadonlyArray<string> => {
  if (before === undefined && after === undefined) return [`${path}:${line}:${text}`]
  const above = before ?? []
  return [
    ...above.map((around, index) => `${path}-${line - above.length + index}-${around}`),
    `${path}:${line}:${text}`,
    ...(after ?? []).map((around, index) => `${path}-${line + 1 + index}-${around}`),
    "--"
  ]
}

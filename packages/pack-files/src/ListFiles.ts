/** `list_files`: lists a directory with the size, lines and language of its entries. */
import { Capability, Tool, type WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import { languageOf } from "./internal/language.ts"
import { lines, pathText } from "./internal/lines.ts"

/** The name of an entry; directories end in "/" and have no other fields. */
const Entry = Schema.Struct({
  path: Schema.String,
  bytes: Schema.optionalKey(Schema.Natural),
  lines: Schema.optionalKey(Schema.Natural),
  language: Schema.optionalKey(Schema.String),
  binary: Schema.optionalKey(Schema.Boolean),
  kind: Schema.optionalKey(Schema.Literals(["symlink", "other"]))
})

export const ListFiles = Tool.make("list_files", {
  version: 1,
  description: "List a directory; ignored files are left out",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.WorkspaceRead, Capability.RepositoryRead],
  parameters: Schema.Struct({
    path: Fields.directory,
    recursive: Fields.flag("All files below"),
    hidden: Fields.flag("Dot files too"),
    commit: Fields.commit,
    limit: Fields.limit(200, 1000)
  }),
  output: Schema.Struct({ entries: Schema.Array(Entry), truncated: Schema.Boolean }),
  forModel: ({ entries, truncated }) =>
    lines(
      entries.map(({ kind, path }) => pathText(kind === "symlink" ? `${path}@` : path)),
      { none: "the directory is empty", more: truncated }
    ),
  execute: Effect.fnUntraced(function* ({ commit, hidden, limit, path, recursive }) {
    const workspace = yield* Capability.WorkspaceRead
    const repository = yield* Capability.RepositoryRead
    const listed: WorkspaceRead.ListResult<ShownFile> = yield* commit === undefined
      ? workspace.list(path, { recursive, hidden, ignored: false, measure: true, limit })
      : repository.list(commit, path, { recursive, hidden, limit })
    const more = listed.truncated ? ", and there are more" : ""
    return Tool.result({
      output: { entries: listed.items.map(entryOf), truncated: listed.truncated },
      display: `Listed ${path}: ${listed.items.length} entries${more}`
    })
  })
})

type ShownFile = Pick<WorkspaceRead.ListedFile, "binary" | "bytes" | "kind" | "lines" | "path">

const entryOf = ({ binary, bytes, kind, lines, path }: ShownFile): typeof Entry.Type => {
  if (kind === "directory") return { path: `${path}/` }
  if (kind !== "file") return { path, kind }
  const language = languageOf(path)
  return {
    path,
    bytes,
    ...(lines === undefined ? {} : { lines }),
    ...(language === null ? {} : { language }),
    ...(binary === true ? { binary } : {})
  }
}

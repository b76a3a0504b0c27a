/** `file_info`: describes the entry at a path; for a link, the link itself and not its target. */
import { Capability, Tool } from "@bough/tool"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import { languageOf } from "./internal/language.ts"

export const FileInfo = Tool.make("file_info", {
  version: 1,
  description: "Kind, size, time and mode of a file or directory",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.WorkspaceRead],
  parameters: Schema.Struct({ path: Fields.path }),
  output: Schema.Struct({
    path: Schema.String,
    kind: Schema.Literals(["file", "directory", "symlink", "other"]),
    bytes: Schema.Natural,
    modifiedAt: Schema.String,
    mode: Schema.String,
    language: Schema.optionalKey(Schema.String)
  }),
  forModel: ({ bytes, kind, language, mode, modifiedAt, path }) =>
    [
      `${path}: ${kind}`,
      `${bytes} bytes`,
      ...(language === undefined ? [] : [language]),
      modifiedAt,
      `mode ${mode}`
    ].join(", "),
  execute: Effect.fnUntraced(function* ({ path }) {
    const workspace = yield* Capability.WorkspaceRead
    const info = yield* workspace.info(path)
    const language = info.kind === "file" ? languageOf(info.path) : null
    return Tool.result({
      output: {
        path: info.path,
        kind: info.kind,
        bytes: info.bytes,
        modifiedAt: DateTime.formatIso(DateTime.makeUnsafe(info.modifiedAtMillis)),
        mode: info.mode,
        ...(language === null ? {} : { language })
      },
      display: `${path} is a ${info.kind} of ${info.bytes} bytes`
    })
  })
})

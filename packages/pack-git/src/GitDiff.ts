/** `git_diff`: shows unstaged or staged changes, or differences between commits, hunk by hunk. */
import { ToolError } from "@bough/protocol"
import { Capability, type RepositoryRead, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import * as Outputs from "./internal/outputs.ts"

const maxBytes = 4 * 1024 ** 2

export const GitDiff = Tool.make("git_diff", {
  version: 1,
  description: "Show differences: unstaged ones, staged ones, since a commit, or between two",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.RepositoryRead],
  parameters: Schema.Struct({
    staged: Fields.flag("What the next commit would contain"),
    from: Schema.optionalKey(Fields.revision),
    to: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "Default: the files as they are" })),
    paths: Fields.paths,
    contextLines: ToolSchema.withDefault(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50 })), 3)
  }),
  output: Outputs.Diff,
  forModel: Outputs.diffText,
  execute: Effect.fnUntraced(function* ({ contextLines, paths, ...sides }) {
    const repository = yield* Capability.RepositoryRead
    const diff = yield* repository.diff({ sides: yield* sidesOf(sides), paths, contextLines, maxBytes })
    return Tool.result({ output: diff, display: sentence(diff) })
  })
})

interface DiffArguments {
  readonly staged: boolean
  readonly from?: string
  readonly to?: string
}

const sidesOf = ({ from, staged, to }: DiffArguments): Effect.Effect<RepositoryRead.Sides, ToolError.ToolError> => {
  if (staged && (from !== undefined || to !== undefined)) {
    return Effect.fail(invalid("staged", "what is staged is compared with the last commit: leave out from and to"))
  }
  if (from === undefined) {
    return to === undefined
      ? Effect.succeed({ _tag: staged ? "staged" : "unstaged" })
      : Effect.fail(invalid("from", "name the commit to compare with"))
  }
  return Effect.succeed(to === undefined ? { _tag: "since", commit: from } : { _tag: "between", from, to })
}

const invalid = (field: string, message: string): ToolError.ValidationError =>
  new ToolError.ValidationError({ message, field, issues: [{ path: field, message }] })

const sentence = ({ files, hidden, truncated }: RepositoryRead.Diff): string => {
  const total = (side: "added" | "deleted") => files.reduce((sum, file) => sum + (file[side] ?? 0), 0)
  const count = Outputs.countOf(files.length + hidden.length, "file")
  return `Compared ${count}: +${total("added")} -${total("deleted")}${truncated ? ", cut off" : ""}`
}

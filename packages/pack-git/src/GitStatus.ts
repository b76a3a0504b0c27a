/** `git_status`: the branch, and the files that are changed, staged, in conflict or new. */
import { Capability, type RepositoryRead, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import * as Outputs from "./internal/outputs.ts"

export const GitStatus = Tool.make("git_status", {
  version: 1,
  description: "Show the branch and the files that are changed, staged, in conflict or new",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.RepositoryRead],
  parameters: Schema.Struct({ limit: Fields.limit(200, 2000) }),
  output: Schema.Struct({
    branch: Schema.NullOr(Schema.String),
    commit: Schema.NullOr(Schema.String),
    upstream: Schema.NullOr(Outputs.Upstream),
    operation: Schema.NullOr(Schema.Literals(["merge", "rebase", "am", "cherry-pick", "revert", "bisect"])),
    files: Schema.Array(
      Schema.Struct({
        path: Schema.String,
        from: Schema.NullOr(Schema.String),
        staged: Schema.NullOr(Outputs.Change),
        unstaged: Schema.NullOr(Outputs.Change),
        conflicted: Schema.Boolean
      })
    ),
    untracked: Schema.Array(Schema.String),
    truncated: Schema.Boolean
  }),
  forModel: (status) => textOf(status),
  execute: Effect.fnUntraced(function* ({ limit }) {
    const repository = yield* Capability.RepositoryRead
    const status = yield* repository.status(limit)
    const count = status.files.length + status.untracked.length
    const changed = count === 0 ? "nothing is changed" : Outputs.countOf(count, "changed file")
    return Tool.result({
      output: status,
      display: `On ${status.branch ?? "no branch"}: ${status.truncated ? "more than " : ""}${changed}`
    })
  })
})

const textOf = ({
  branch,
  commit,
  files,
  operation,
  truncated,
  untracked,
  upstream
}: RepositoryRead.Status): string => {
  const at = commit === null ? "no commit yet" : Outputs.short(commit)
  const follows = upstream === null ? "" : `; follows ${Outputs.upstreamText(upstream)}`
  const lines = [
    `${branch === null ? "no branch" : `branch ${branch}`} at ${at}${follows}`,
    ...(operation === null ? [] : [`${operation === "am" ? "an" : "a"} ${operation} is under way`]),
    ...files.map(lineOf),
    ...untracked.map((path) => `untracked ${Outputs.pathText(path)}`),
    ...(truncated ? ["[there are more; raise limit]"] : [])
  ]
  return files.length + untracked.length === 0 ? [...lines, "nothing is changed"].join("\n") : lines.join("\n")
}

const lineOf = ({ conflicted, from, path, staged, unstaged }: RepositoryRead.ChangedFile): string => {
  const name = `${from === null ? "" : `${Outputs.pathText(from)} → `}${Outputs.pathText(path)}`
  if (conflicted) return `conflict ${name}`
  const parts = [staged === null ? [] : [`staged ${staged}`], unstaged === null ? [] : [unstaged]].flat()
  return `${parts.join(", then ")} ${name}`
}

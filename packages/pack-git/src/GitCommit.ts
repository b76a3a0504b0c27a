/** `git_commit`: commits chosen files, chosen hunks, or the staged changes. Hooks of the repository are not run. */
import { Canonical, type ToolError } from "@bough/protocol"
import { Capability, type RepositoryRead, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FileTier from "./internal/fileTier.ts"
import * as Outputs from "./internal/outputs.ts"

const maxNamed = 200

export const GitCommit = Tool.make("git_commit", {
  version: 1,
  description: "Commit these files or hunks (ids of git_diff); with neither, what is staged. Hooks are not run",
  tier: "Workspace",
  replay: "Unsafe",
  capabilities: [Capability.WorkspaceRead, Capability.RepositoryRead, Capability.RepositoryWrite],
  parameters: Schema.Struct({
    message: Schema.NonEmptyString,
    files: ToolSchema.withDefault(
      Schema.Array(Schema.NonEmptyString).annotate({ description: "Files and directories" }),
      []
    ),
    hunks: ToolSchema.withDefault(Schema.Array(Schema.NonEmptyString), [])
  }),
  output: Schema.Struct({
    id: Schema.String,
    branch: Schema.NullOr(Schema.String),
    subject: Schema.String,
    files: Schema.Array(Schema.String)
  }),
  forModel: ({ branch, files, id }) =>
    `Committed ${Outputs.countOf(files.length, "file")} as ${Outputs.short(id)} on ${branch ?? "no branch"}`,
  classify: (parameters) =>
    Effect.flatMap(readyOf(parameters), ({ branch, commit, files }) =>
      Effect.map(FileTier.classifyFiles([...new Set(files.map(({ path }) => path))], ["secret"]), (found) => ({
        ...found,
        facts: [{ key: `commit on ${branch ?? "no branch"}`, digest: Canonical.digestOf([commit, files]) }]
      }))
    ),
  preview: (parameters) =>
    Effect.map(readyOf(parameters), ({ files }) => ({
      render: [
        parameters.message.trim(),
        "",
        ...files.slice(0, maxNamed).map(({ change, path }) => `${change} ${Outputs.pathText(path)}`),
        ...(files.length > maxNamed ? [`and ${files.length - maxNamed} more`] : [])
      ].join("\n"),
      preconditions: []
    })),
  execute: Effect.fnUntraced(function* ({ files, hunks, message }) {
    const repository = yield* Capability.RepositoryWrite
    const committed = yield* repository.commit({ message, files, hunks })
    return Tool.result({
      output: committed,
      display: `Committed ${Outputs.countOf(committed.files.length, "file")} on ${committed.branch ?? "no branch"}: ${committed.subject}`
    })
  })
})

interface ChosenChanges {
  readonly files: ReadonlyArray<string>
  readonly hunks: ReadonlyArray<string>
}

interface Ready {
  readonly branch: string | null
  /** The parent of the new commit; null: it is the first commit. */
  readonly commit: string | null
  readonly files: ReadonlyArray<TouchedFiles>
}

interface TouchedFiles {
  readonly path: string
  readonly change: RepositoryRead.Change | "new"
}

const maxFiles = 2000

/** Returns the content and the parent that the commit would have, according to the status. */
const readyOf = Effect.fnUntraced(function* ({
  files,
  hunks
}: ChosenChanges): Effect.fn.Return<Ready, ToolError.ToolError, RepositoryRead.RepositoryRead> {
  const repository = yield* Capability.RepositoryRead
  const status = yield* repository.status(maxFiles)
  const isWhole = files.length === 0 && hunks.length === 0
  const tracked = status.files.flatMap(({ path, staged, unstaged }): ReadonlyArray<TouchedFiles> => {
    const change = isWhole ? staged : (unstaged ?? staged)
    return change === null ? [] : [{ path, change }]
  })
  const { branch, commit } = status
  if (isWhole) return { branch, commit, files: tracked }
  const untracked = status.untracked.map((path): TouchedFiles => ({ path, change: "new" }))
  const named = [...tracked, ...untracked].filter(({ path }) => files.some((file) => touches(file, path)))
  // The status may omit a named file, such as one in a new directory.
  const alone = files.filter((file) => !named.some(({ path }) => path === file))
  return { branch, commit, files: [...named, ...alone.map((path): TouchedFiles => ({ path, change: "new" }))] }
})

const touches = (file: string, path: string): boolean =>
  file === "." || path === file || path.startsWith(`${file.replace(/\/$/u, "")}/`) || file.startsWith(path)

/** `git_stash`: stashes uncommitted changes, and applies the stash. */
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import * as Raise from "./internal/Raise.ts"

export const GitStash = Tool.make("git_stash", {
  version: 1,
  description: "Lay aside what is not committed (push), take it back (pop), or list what is laid aside",
  tier: "Workspace",
  replay: "Unsafe",
  capabilities: [Capability.WorkspaceRead, Capability.RepositoryRead, Capability.RepositoryWrite],
  parameters: Schema.Struct({
    action: Schema.Literals(["push", "pop", "list"]),
    message: ToolSchema.withDefault(Schema.String, ""),
    untracked: Fields.flag("Of push: new files too"),
    index: ToolSchema.withDefault(Schema.Natural.annotate({ description: "Of pop: 0 is the newest" }), 0)
  }),
  output: Schema.Struct({
    entries: Schema.Array(Schema.Struct({ index: Schema.Natural, subject: Schema.String }))
  }),
  forModel: ({ entries }) =>
    entries.length === 0
      ? "[nothing is laid aside]"
      : entries.map(({ index, subject }) => `${index} ${subject}`).join("\n"),
  classify: Effect.fnUntraced(function* ({ action, index }) {
    if (action !== "pop") return { tier: "Workspace" }
    return yield* Raise.forFiles(yield* stashedFiles(`stash@{${index}}`), ["instructions", "configuration"])
  }),
  execute: Effect.fnUntraced(function* ({ action, index, message, untracked }) {
    const repository = yield* Capability.RepositoryWrite
    if (action === "push") {
      const entry = yield* repository.stash(message, untracked)
      return Tool.result({ output: { entries: [entry] }, display: `Laid aside: ${entry.subject}` })
    }
    if (action === "pop") {
      const entry = yield* repository.unstash(index)
      return Tool.result({ output: { entries: [entry] }, display: `Took back: ${entry.subject}` })
    }
    const entries = yield* repository.stashes
    return Tool.result({ output: { entries }, display: `${entries.length} laid aside` })
  })
})

/** Returns the files that an entry changes and those that git did not track, which it holds as a third parent. */
const stashedFiles = Effect.fnUntraced(function* (entry: string) {
  const repository = yield* Capability.RepositoryRead
  // That there is no such entry is said by the handler.
  const find = (revision: string) =>
    Effect.match(repository.commit(revision), { onFailure: () => null, onSuccess: ({ id }) => id })
  const sides = [
    [`${entry}^1`, entry],
    [null, `${entry}^3`]
  ] as const
  const files: Array<string> = []
  for (const [from, to] of sides) {
    const changed = yield* find(to)
    const base = from === null ? "" : yield* find(from)
    if (changed === null || base === null) continue
    const compared = yield* repository.diff({
      sides: { _tag: "between", from: base, to: changed },
      paths: [],
      contextLines: 0,
      maxBytes: 1
    })
    files.push(...compared.files.map(({ path }) => path), ...compared.hidden)
  }
  return files
})

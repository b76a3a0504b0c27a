/** `git_stash`: stashes uncommitted changes, and applies the stash. */
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import * as FileTier from "./internal/fileTier.ts"
import * as Outputs from "./internal/outputs.ts"
import * as Pinned from "./internal/Pinned.ts"

export const GitStash = Tool.make("git_stash", {
  version: 1,
  description: "Stash uncommitted changes (push), apply and drop a stash entry (pop), or list the entries",
  tier: "Workspace",
  replay: "Unsafe",
  capabilities: [Capability.WorkspaceRead, Capability.RepositoryRead, Capability.RepositoryWrite],
  parameters: Schema.Struct({
    action: Schema.Literals(["push", "pop", "list"]),
    message: ToolSchema.withDefault(Schema.String, ""),
    untracked: Fields.flag("For push: include new files"),
    index: ToolSchema.withDefault(Schema.Natural.annotate({ description: "For pop: 0 is the newest entry" }), 0)
  }),
  output: Schema.Struct({
    entries: Schema.Array(Schema.Struct({ index: Schema.Natural, subject: Schema.String }))
  }),
  forModel: ({ entries }) =>
    entries.length === 0
      ? "[there are no stash entries]"
      : entries.map(({ index, subject }) => `${index} ${subject}`).join("\n"),
  classify: Effect.fnUntraced(function* ({ action, index, untracked }) {
    if (action === "list") return { tier: "Workspace" }
    if (action === "push") return yield* FileTier.classifyFiles(yield* changedFiles(untracked), ["secret"])
    const entry = yield* entryAt(index)
    const facts = [Pinned.fact(nameOf(index), entry?.id ?? null)]
    if (entry === null) return { tier: "Workspace", facts }
    return {
      ...(yield* FileTier.classifyFiles(yield* stashedFiles(entry.id), ["instructions", "configuration"])),
      facts
    }
  }),
  preview: Effect.fnUntraced(function* ({ action, index, message, untracked }) {
    if (action === "list") return { render: "list the stash entries\n", preconditions: [] }
    if (action === "push") {
      const summary = `stash uncommitted changes${untracked ? " and new files" : ""}`
      return { render: message === "" ? `${summary}\n` : `${summary}: ${message}\n`, preconditions: [] }
    }
    const entry = yield* entryAt(index)
    if (entry === null) return { render: `apply ${nameOf(index)}, which does not exist\n`, preconditions: [] }
    const files = (yield* stashedFiles(entry.id)).map(Outputs.pathText)
    const lines = [`apply ${nameOf(index)}, ${Outputs.commitLine(entry)}`, "", ...files]
    return { render: `${lines.join("\n")}\n`, preconditions: [] }
  }),
  execute: Effect.fnUntraced(function* ({ action, index, message, untracked }) {
    const repository = yield* Capability.RepositoryWrite
    if (action === "push") {
      const entry = yield* repository.stash(message, untracked)
      return Tool.result({ output: { entries: [entry] }, display: `Stashed: ${entry.subject}` })
    }
    if (action === "pop") {
      const entry = yield* repository.unstash({ index, at: yield* Pinned.idOf(nameOf(index)) })
      return Tool.result({ output: { entries: [entry] }, display: `Applied: ${entry.subject}` })
    }
    const entries = yield* repository.stashes
    return Tool.result({ output: { entries }, display: `${entries.length} stash entries` })
  })
})

const nameOf = (index: number): string => `stash@{${index}}`

/** Returns the entry; null: there is no stash at the index, which the handler reports. */
const entryAt = (index: number) =>
  Effect.flatMap(Capability.RepositoryRead, (repository) =>
    Effect.orElseSucceed(repository.commit(nameOf(index)), () => null)
  )

const maxFiles = 2000

/** Returns the files that a push takes; none without a repository, which the handler reports. */
const changedFiles = (untracked: boolean) =>
  Effect.flatMap(Capability.RepositoryRead, (repository) =>
    Effect.match(repository.status(maxFiles), {
      onFailure: () => [],
      onSuccess: (status) => [...status.files.map(({ path }) => path), ...(untracked ? status.untracked : [])]
    })
  )

/**
 * Returns the files that an entry changes, and those that git did not track, which are in a third parent of the entry.
 */
const stashedFiles = Effect.fnUntraced(function* (entry: string) {
  const repository = yield* Capability.RepositoryRead
  // The handler reports a missing entry.
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

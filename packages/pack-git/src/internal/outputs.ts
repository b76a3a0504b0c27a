/** Results of the tools, as schemas and as text for the model. */
import type { RepositoryRead } from "@bough/tool"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export const Change = Schema.Literals(["added", "modified", "deleted", "renamed", "copied", "type changed"])

export const Upstream = Schema.Struct({
  name: Schema.String,
  ahead: Schema.NullOr(Schema.Natural),
  behind: Schema.NullOr(Schema.Natural)
})

export const Commit = Schema.Struct({
  id: Schema.String,
  parents: Schema.Array(Schema.String),
  author: Schema.String,
  email: Schema.String,
  atMillis: Schema.Number,
  subject: Schema.String,
  body: Schema.String
})

export const Diff = Schema.Struct({
  files: Schema.Array(
    Schema.Struct({
      path: Schema.String,
      from: Schema.NullOr(Schema.String),
      change: Change,
      added: Schema.NullOr(Schema.Natural),
      deleted: Schema.NullOr(Schema.Natural),
      hunks: Schema.Array(
        Schema.Struct({ id: Schema.String, header: Schema.String, lines: Schema.Array(Schema.String) })
      )
    })
  ),
  hidden: Schema.Array(Schema.String),
  truncated: Schema.Boolean
})

/** Formats a name; a name that could be mistaken for another line is written as JSON. */
export const pathText = (path: string): string => (/\p{Cc}/u.test(path) ? JSON.stringify(path) : path)

/** Abbreviates a commit id, to a length that is unique in ordinary repositories. */
export const short = (id: string): string => id.slice(0, 10)

/** Formats a day. A commit may state any number as its time. */
const day = (millis: number): string =>
  Option.match(DateTime.make(millis), { onNone: () => "at no date", onSome: DateTime.formatIsoDateUtc })

export const commitLine = ({ atMillis, author, id, subject }: RepositoryRead.Commit): string =>
  `${short(id)} ${day(atMillis)} ${author}: ${subject}`

export const upstreamText = ({ ahead, behind, name }: RepositoryRead.Upstream): string =>
  ahead === null || behind === null
    ? `${name}, which no longer exists`
    : `${name}${ahead > 0 ? `, ${ahead} ahead` : ""}${behind > 0 ? `, ${behind} behind` : ""}`

type CountedFile = Pick<RepositoryRead.FileDiff, "added" | "change" | "deleted" | "from" | "path">

export const fileLine = ({ added, change, deleted, from, path }: CountedFile): string => {
  const counts = added === null || deleted === null ? "binary" : `+${added} -${deleted}`
  return `${change} ${from === null ? "" : `${pathText(from)} → `}${pathText(path)} ${counts}`
}

export const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

/** Formats a unified diff; each hunk has the id that `git_commit` accepts. */
export const diffText = ({ files, hidden, truncated }: RepositoryRead.Diff): string => {
  if (files.length === 0 && hidden.length === 0) return "[no difference]"
  const lines = files.flatMap((file) => [
    fileLine(file),
    ...file.hunks.flatMap(({ header, id, lines: changed }) => [`${header} [hunk ${id}]`, ...changed])
  ])
  return [
    ...lines,
    ...(hidden.length === 0 ? [] : [`[not shown: ${hidden.map(pathText).join(", ")}]`]),
    ...(truncated ? ["[there is more: name paths, or ask for fewer lines of context]"] : [])
  ].join("\n")
}

/** Differences between commits, the index and the files, hunk by hunk. */
import { Canonical, type ToolError } from "@bough/protocol"
import type { RepositoryRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import type { View } from "../internal/openFile.ts"
import * as GitSettings from "./GitSettings.ts"
import { withIndexCopy } from "./IndexCopy.ts"
import * as Paths from "./Paths.ts"
import { failed, type Git, records } from "./Repository.ts"
import * as Revisions from "./Revisions.ts"
import { changeOf } from "./Status.ts"

/** A file as git lists it. */
interface ListedFile {
  readonly path: Paths.GitPath
  readonly from: Paths.GitPath | null
  readonly change: RepositoryRead.Change
}

const hiddenLimit = 1000

export const read = (
  git: Git,
  view: View,
  options: RepositoryRead.DiffOptions
): Effect.Effect<RepositoryRead.Diff, ToolError.ToolError> =>
  options.sides._tag === "staged" || options.sides._tag === "between"
    ? compare(git, view, options)
    : withIndexCopy(git, (onCopy) => compare(onCopy, view, options))

const compare = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  { contextLines, maxBytes, paths, sides }: RepositoryRead.DiffOptions
): Effect.fn.Return<RepositoryRead.Diff, ToolError.ToolError> {
  const { files: listed, hidden, pathspecs, sideArguments } = yield* list(git, view, { paths, sides })
  const counts = new Map((yield* numbers(git, sideArguments, pathspecs)).map((count) => [count.path, count] as const))
  const { bytes, truncated } = yield* patch(git, { sideArguments, pathspecs, contextLines, maxBytes })
  const hunks = new Map(sectionsOf(bytes, truncated).map((section) => [section.path, section.hunks] as const))
  return {
    files: listed.map(({ change, from, path }) => ({
      path: Paths.fromGit(view, path),
      from: from === null ? null : Paths.fromGit(view, from),
      change,
      added: counts.get(path)?.added ?? null,
      deleted: counts.get(path)?.deleted ?? null,
      hunks: (hunks.get(path) ?? []).map(({ header, id, lines }) => ({
        id,
        header: utf8(header),
        lines: lines.map(utf8)
      }))
    })),
    hidden: hidden.map((path) => Paths.fromGit(view, path)),
    truncated
  }
})

interface Comparison {
  readonly sides: RepositoryRead.Sides
  readonly paths: ReadonlyArray<string>
}

interface DiffSelection {
  readonly files: ReadonlyArray<ListedFile>
  readonly hidden: ReadonlyArray<Paths.GitPath>
  /** The paths to compare, in git's syntax. */
  readonly pathspecs: ReadonlyArray<string>
  readonly sideArguments: ReadonlyArray<string>
}

/** Lists the changed files that the call may see, with the arguments that limit git to them. */
export const list = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  { paths, sides }: Comparison
): Effect.fn.Return<DiffSelection, ToolError.ToolError> {
  const pathsInGit = yield* Effect.forEach(paths, (path) => Paths.toGit(view, path, "read"))
  const sideArguments = yield* argumentsOf(git, sides)
  const { text, truncated } = yield* git.run(
    ["diff", ...plain, "--name-status", "-z", ...sideArguments, "--", ...literalPathspecs(pathsInGit)],
    magic
  )
  if (truncated) return yield* failed("git: more files are changed than can be listed", "name the paths to look at")
  const all = listedIn(text)
  const isVisible = ({ from, path }: ListedFile): boolean =>
    Paths.isVisible(view, path) && (from === null || Paths.isVisible(view, from))
  const hidden = all
    .filter((file) => !isVisible(file))
    .flatMap(({ from, path }) => (from === null ? [path] : [path, from]))
  if (hidden.length > hiddenLimit)
    return yield* failed("git: too many changed files may not be shown", "name the paths to look at")
  return {
    files: all.filter(isVisible),
    hidden,
    pathspecs: [...literalPathspecs(pathsInGit), ...hidden.map((path) => `:(top,literal,exclude)${path}`)],
    sideArguments
  }
})

/** Returns every path that a comparison names, including the old paths of moved files. */
export const pathsOf = ({ files, hidden }: Pick<DiffSelection, "files" | "hidden">): ReadonlyArray<Paths.GitPath> =>
  [
    ...files.flatMap(({ change, from, path }) => (change === "renamed" && from !== null ? [from, path] : [path])),
    ...hidden
  ].toSorted()

/** Options that disable programs of the repository, for each form of output. */
const plain = [
  "--no-ext-diff",
  "--no-textconv",
  "--find-renames",
  "--no-relative",
  GitSettings.commitsOfSubmodules
] as const

/** Git must not treat these paths as literal, because they contain patterns. */
const magic = { env: { GIT_LITERAL_PATHSPECS: "0" } } as const

const literalPathspecs = (paths: ReadonlyArray<Paths.GitPath>): ReadonlyArray<string> =>
  paths.length === 0 ? [":(top)"] : paths.map((path) => (path === "." ? ":(top)" : `:(top,literal)${path}`))

const argumentsOf = Effect.fnUntraced(function* (
  git: Git,
  sides: RepositoryRead.Sides
): Effect.fn.Return<ReadonlyArray<string>, ToolError.ToolError> {
  switch (sides._tag) {
    case "unstaged":
      return []
    case "staged":
      return ["--cached"]
    case "since":
      return [yield* Revisions.resolve(git, sides.commit, "from")]
    case "between":
      return [
        sides.from === "" ? yield* emptyTree(git) : yield* Revisions.resolve(git, sides.from, "from"),
        yield* Revisions.resolve(git, sides.to, "to")
      ]
  }
})

/** Returns the id of the empty tree, with which the first commit is compared. */
const emptyTree = (git: Git) =>
  Effect.map(git.run(["hash-object", "-t", "tree", "--stdin"], { input: "" }), ({ text }) => text.trim())

const listedIn = (text: string): ReadonlyArray<ListedFile> => {
  const all = records(text)
  const found: Array<ListedFile> = []
  for (let at = 0; at + 1 < all.length;) {
    const letter = all[at][0]
    const isMoved = letter === "R" || letter === "C"
    const from = isMoved ? all[at + 1] : null
    const path = all[at + (isMoved ? 2 : 1)]
    // "U" is a conflict, which has more than two sides.
    found.push({ path, from, change: changeOf(letter) ?? "modified" })
    at += isMoved ? 3 : 2
  }
  return found
}

interface Count {
  readonly path: Paths.GitPath
  readonly added: number | null
  readonly deleted: number | null
}

/** Reads records of `added<TAB>deleted<TAB>path`; for a renamed file, the two paths follow in separate records. */
const numbers = (git: Git, sides: ReadonlyArray<string>, pathspecs: ReadonlyArray<string>) =>
  Effect.map(git.run(["diff", ...plain, "--numstat", "-z", ...sides, "--", ...pathspecs], magic), ({ text }) => {
    const all = records(text)
    const counts: Array<Count> = []
    for (let at = 0; at < all.length; at++) {
      const [added, deleted, ...rest] = all[at].split("\t")
      const path = rest.join("\t")
      const isMoved = path === ""
      counts.push({ path: isMoved ? all[at + 2] : path, added: numberOf(added), deleted: numberOf(deleted) })
      if (isMoved) at += 2
    }
    return counts
  })

const numberOf = (written: string): number | null => (written === "-" ? null : Number(written))

interface DiffRequest {
  readonly sideArguments: ReadonlyArray<string>
  readonly pathspecs: ReadonlyArray<string>
  readonly contextLines: number
  readonly maxBytes: number
}

/** Returns the text of the difference in the form that `git apply` accepts. */
export const patch = (git: Git, { contextLines, maxBytes, pathspecs, sideArguments }: DiffRequest) =>
  git.run(["diff", ...plain, "--full-index", `--unified=${contextLines}`, ...sideArguments, "--", ...pathspecs], {
    ...magic,
    maxBytes
  })

/** Lines as git wrote them, with one character per byte, because patches are assembled from them. */
interface ParsedHunk {
  readonly id: string
  readonly header: string
  readonly lines: ReadonlyArray<string>
}

export interface Section {
  readonly path: Paths.GitPath
  /** The lines before the first hunk. */
  readonly head: ReadonlyArray<string>
  readonly hunks: ReadonlyArray<ParsedHunk>
}

/** Splits a patch by file; an incomplete last hunk is left out. */
export const sectionsOf = (bytes: Uint8Array, isCut = false): ReadonlyArray<Section> => {
  const sections: Array<{ head: Array<string>; hunks: Array<{ header: string; lines: Array<string> }> }> = []
  for (const line of Buffer.from(bytes).toString("latin1").split("\n")) {
    const section = sections.at(-1)
    // The lines of a hunk begin with a sign, so none is mistaken for the head of another file.
    if (line.startsWith("diff --")) sections.push({ head: [line], hunks: [] })
    else if (section === undefined || line === "") continue
    else if (line.startsWith("@@ ")) section.hunks.push({ header: line, lines: [] })
    else if (section.hunks.length === 0) section.head.push(line)
    else section.hunks.at(-1)?.lines.push(line)
  }
  if (isCut) sections.at(-1)?.hunks.pop()
  return sections.map(({ head, hunks }) => {
    const path = pathIn(head)
    return { path, head, hunks: hunks.map((hunk) => ({ ...hunk, id: idOf(path, hunk.lines) })) }
  })
}

/** Decodes the text of such lines. */
const utf8 = (line: string): string => Buffer.from(line, "latin1").toString("utf8")

const pathIn = (head: ReadonlyArray<string>): Paths.GitPath => {
  const sideName = (prefix: string, side: string) => {
    const written = head
      .find((line) => line.startsWith(prefix))
      ?.slice(prefix.length)
      .replace(/\t$/u, "")
    return written === undefined || written === "/dev/null" ? null : utf8(unquote(written).slice(side.length))
  }
  return sideName("+++ ", "b/") ?? sideName("--- ", "a/") ?? sideName("rename to ", "") ?? ""
}

const escaped: Readonly<Record<string, string>> = { a: "\u0007", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" }

/** Decodes a path, which git quotes if it contains characters that a line cannot contain. */
const unquote = (written: string): string =>
  written.startsWith('"')
    ? written
        .slice(1, -1)
        .replaceAll(/\\([0-7]{3}|.)/gsu, (_, code: string) =>
          code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escaped[code] ?? code)
        )
    : written

/** Returns the id of a hunk, made from its changed lines: it does not depend on the hunk's position in the file. */
const idOf = (path: Paths.GitPath, lines: ReadonlyArray<string>): string =>
  Canonical.digest(`${path}\0${lines.join("\n")}`).slice("sha256:".length, "sha256:".length + idLength)

const idLength = 12

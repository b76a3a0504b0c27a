/**
 * The preconditions of a command outside any sandbox: the workspace files that its words name, except files that the
 * tree wrote last, and links by which the words leave the workspace. An approval covers the current content of a script,
 * not its name.
 */
import type { Approval } from "@bough/protocol"
import type { WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { AssessedCall, DecodedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import * as JudgingWorkspace from "./JudgingWorkspace.ts"
import { reachOf } from "./Reach.ts"

type Workspace = WorkspaceRead.WorkspaceRead["Service"]

/**
 * The maximum number of words that are examined. Further words count as data; the check for later writes covers them.
 */
const maxWords = 256
/** Larger files are compared by their size and the time of their last change. */
const maxDigestedBytes = 32 * 1024 ** 2

/** Returns no files for a call that stays in a sandbox. */
export const preconditions = Effect.fnUntraced(function* (
  call: DecodedCall & Partial<Pick<AssessedCall, "grants">>,
  caller: DispatchContext
): Effect.fn.Return<ReadonlyArray<Approval.Precondition>> {
  const isUnconfined = call.grants?.some(({ _tag }) => _tag === "Unconfined") === true
  if (!isUnconfined && reachOf(call.tool, caller.context) !== "Host") return []
  const writes = caller.workspaceWrites?.()
  const found: Array<Approval.Precondition> = writes === undefined ? [] : [{ _tag: "WorkspaceWrites", digest: writes }]
  const workspace = JudgingWorkspace.make(call, caller)
  if (workspace === null) return found
  const paths = new Set<string>()
  for (const word of pathsNamed(JSON.parse(call.canonicalArguments))) {
    const path = yield* entryAt(workspace, word)
    if (path !== null) paths.add(path)
  }
  for (const path of [...paths].toSorted())
    found.push({ _tag: "FileDigest", path, digest: yield* digestOf(workspace, path) })
  return found
})

/**
 * Returns the regular file to which a word leads, or the link by which it leaves the workspace: another session may
 * change the link. Null: there is neither.
 */
const entryAt = (workspace: Workspace, word: string): Effect.Effect<string | null> =>
  Effect.flatMap(
    quietly(() => workspace.inspect(word)),
    (inspected) => {
      if (inspected === null) return linkAt(workspace, word)
      const { path } = inspected
      return Effect.map(
        quietly(() => workspace.info(path)),
        (info) => (info?.kind === "file" ? path : null)
      )
    }
  )

/** Returns the first entry on the way that leads out of the workspace, if it is a link. */
const linkAt = Effect.fnUntraced(function* (workspace: Workspace, word: string): Effect.fn.Return<string | null> {
  const names = word.split("/").slice(0, maxLevels)
  for (const count of names.keys()) {
    const path = names.slice(0, count + 1).join("/")
    if (path === "" || (yield* quietly(() => workspace.inspect(path))) !== null) continue
    const digest = yield* quietly(() => workspace.digest(path))
    return digest?.startsWith("link:") === true ? path : null
  }
  return null
})

const maxLevels = 64

const digestOf = (workspace: Workspace, path: string): Effect.Effect<string | null> =>
  Effect.flatMap(
    quietly(() => workspace.info(path)),
    (info) =>
      info !== null && info.bytes > maxDigestedBytes
        ? Effect.succeed(`size:${info.bytes} changed:${info.changedAtMillis}`)
        : quietly(() => workspace.digest(path))
  )

/** Runs `look`; a path that cannot be inspected counts as no file of the workspace. */
const quietly = <A, E>(look: () => Effect.Effect<A, E>): Effect.Effect<A | null> =>
  Effect.catchCause(Effect.suspend(look), () => Effect.succeed(null))

/** Returns the words that may be paths, as written and relative to the working directory. */
export const pathsNamed = (parameters: unknown): ReadonlyArray<string> => {
  const texts: Array<string> = []
  const look = (value: unknown): void => {
    if (typeof value === "string") texts.push(value)
    else if (value !== null && typeof value === "object") for (const nested of Object.values(value)) look(nested)
  }
  look(parameters)
  const cwd = (parameters as { readonly cwd?: unknown } | null)?.cwd
  const words = [
    ...new Set(texts.flatMap((text) => [text, ...shellWords(text), ...text.split(/[\s"'`;|&()<>={},:@$]+/u)]))
  ]
  const named = words.filter((word) => word !== "" && word.length < 1_024).slice(0, maxWords)
  return typeof cwd === "string" && cwd !== "."
    ? named.flatMap((word) => (word.startsWith("/") ? [word] : [word, `${cwd}/${word}`]))
    : named
}

/** A word of a shell, in which quotes and backslashes may hide white space: `"my script.sh"`, `my\ script.sh`. */
const shellWord = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'`;|&()<>\\])+/gsu

const quoting = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gsu

/**
 * Returns the words that a shell reads, without their quotes, and the value of an option such as `--file="my script.sh"`.
 */
const shellWords = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(shellWord), ([word]) =>
    word.replaceAll(quoting, (_, ...[double, single, escaped]: ReadonlyArray<string | undefined>) =>
      double === undefined ? (single ?? escaped ?? "") : double.replaceAll(/\\(.)/gsu, "$1")
    )
  ).flatMap((word) => [word, word.slice(word.indexOf("=") + 1)])

/**
 * Finds files whose current content is not in the last commit. git only lists the commit's tree; the files are compared
 * here, by git's own hash. No program that a repository may configure runs: no filters, hooks, monitors or drivers.
 */
import type { ToolError } from "@bough/protocol"
import { ProcessRunner, type Snapshots } from "@bough/tool"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { environment } from "../repository/GitSettings.ts"
import { fill, type OpenFile, useAt } from "./openFile.ts"
import { join, pathOf, segmentsOf, split } from "./pathText.ts"
import type { Root } from "./root.ts"
import { call, failWith, report } from "./systemCall.ts"
import { entriesBelow, type TreeEntry } from "./tree.ts"
import { visit } from "./walk.ts"

export interface Git {
  readonly runner: ProcessRunner.ProcessRunner["Service"]
  readonly root: Root
  /** Null: nothing is recorded. */
  readonly restorable: Snapshots.Snapshots["restorable"] | null
}

/** Returns the files in the order of the tree; without a repository or a commit, every file is unsaved. */
export const unsavedContents = (
  { restorable, root, runner }: Git,
  path: string,
  limit: number
): Effect.Effect<ReadonlyArray<string>, ToolError.ToolError> =>
  visit(root, { path, access: "read", follow: false, missing: "fail" }, (place) =>
    place.stats === null
      ? Effect.fail(failWith("ENOENT", path))
      : Effect.map(entriesBelow(root, place, { access: "read", state: "refuse" }), (entries) => ({
          entries,
          segments: place.segments
        }))
  ).pipe(
    Effect.flatMap(({ entries, segments }) =>
      Effect.gen(function* () {
        // A file that cannot be in a snapshot now cannot be restored later.
        const isRestorable = yield* restorable === null
          ? Effect.succeed(() => false)
          : Effect.orElseSucceed(restorable, () => () => false)
        const isLost = ({ kind, path: file }: TreeEntry): boolean =>
          kind !== "directory" && !isRestorable([root.path, ...segmentsOf(root, file)].join("/"))
        const files = entries.filter(isLost)
        if (files.length === 0) return []
        const committedFiles = yield* committedContents({ root, runner }, segments)
        const found: Array<string> = []
        for (const file of files) {
          if (found.length === limit) break
          if (!(yield* isHeld(root, file, committedFiles.get(file.path)))) found.push(file.path)
        }
        return found
      })
    )
  )

interface Blob {
  readonly isLink: boolean
  readonly id: string
}

const maxOutputBytes = 64 * 1024 ** 2

/** Returns the content of the last commit at or below a path, by path; empty if git cannot determine it. */
const committedContents = (
  { root, runner }: Omit<Git, "restorable">,
  segments: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, Blob>> =>
  runner
    .run({
      program: "git",
      args: ["--no-pager", "--literal-pathspecs", "ls-tree", "-r", "-z", "HEAD", "--", join(segments)],
      cwd: root.path,
      env: environment(),
      maxOutputBytes
    })
    .pipe(
      Effect.map(({ exitCode, stdout, truncated }) =>
        exitCode === 0 && !truncated ? parse(root, Buffer.from(stdout).toString("utf8")) : new Map<string, Blob>()
      ),
      Effect.orElseSucceed(() => new Map<string, Blob>())
    )

/** Parses entries of the form `mode type id<TAB>path<NUL>`. */
const parse = (root: Root, text: string): ReadonlyMap<string, Blob> =>
  new Map(
    text.split("\0").flatMap((record): ReadonlyArray<readonly [string, Blob]> => {
      const tab = record.indexOf("\t")
      const [mode, type, id] = record.slice(0, tab).split(" ")
      return tab === -1 || type !== "blob"
        ? []
        : [[pathOf(root, split(record.slice(tab + 1))), { isLink: mode === "120000", id }]]
    })
  )

const isHeld = (root: Root, file: TreeEntry, blob: Blob | undefined): Effect.Effect<boolean, ToolError.ToolError> => {
  if (blob === undefined || (file.kind === "symlink") !== blob.isLink || file.kind === "other") {
    return Effect.succeed(false)
  }
  const options = { path: file.path, access: "read", follow: false, missing: "fail", isWithinTree: true } as const
  return visit(root, options, (place) =>
    file.kind === "symlink"
      ? call(() => fs.readlinkSync(place.at)).pipe(
          Effect.map((target) => hashOf(blob, Buffer.byteLength(target)).update(target).digest("hex") === blob.id),
          Effect.mapError(report(file.path))
        )
      : useAt(root, place, (opened) => contentIs(opened, blob)).pipe(Effect.map((same) => same?.value === true))
  )
}

const chunkBytes = 1024 * 1024

const contentIs = Effect.fnUntraced(function* (
  file: OpenFile,
  blob: Blob
): Effect.fn.Return<boolean, ToolError.ToolError> {
  const hash = hashOf(blob, file.bytes)
  const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, file.bytes + 1))
  for (let position = 0; ;) {
    const read = yield* fill(file, chunk, position)
    hash.update(chunk.subarray(0, read))
    position += read
    if (read < chunk.length) return hash.digest("hex") === blob.id
  }
})

/** Returns git's name for content: the hash of a header and the bytes. */
const hashOf = ({ id }: Blob, bytes: number) =>
  createHash(id.length === 64 ? "sha256" : "sha1").update(`blob ${bytes}\0`)

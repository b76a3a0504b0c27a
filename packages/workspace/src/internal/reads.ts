/** WorkspaceRead over one root, as one call may see it. */
import { Canonical, type ToolError } from "@bough/protocol"
import type { WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as Sensitive from "../Sensitive.ts"
import { isPartOfRepository } from "./bareRepository.ts"
import { infoOf, lookAt } from "./directory.ts"
import { find } from "./find.ts"
import { list } from "./list.ts"
import { readAll, regular, useAt, type View, withFile } from "./openFile.ts"
import { areSame, split } from "./pathText.ts"
import { digestOf, readLines } from "./readLines.ts"
import type { Ripgrep } from "./ripgrep.ts"
import { isSecretCopy, type Root } from "./root.ts"
import { search } from "./search.ts"
import { call, failWith, report } from "./systemCall.ts"
import { entriesBelow } from "./tree.ts"
import { type WalkLocation, visit } from "./walk.ts"

type Reader = WorkspaceRead.WorkspaceRead["Service"]

export const reads = (view: View, ripgrep: Ripgrep): Reader => ({
  readFile: (path, maxBytes) => readFile(view, path, maxBytes),
  readLines: (path, range) => readLines(view, path, range),
  info: (path) => info(view, path),
  inspect: (path) => inspect(view, path),
  list: (path, options) => list({ view, ripgrep }, path, options),
  find: (glob, path, limit) => find({ view, ripgrep }, glob, { path, limit }),
  search: (options) => search({ view, ripgrep }, options),
  digest: (path) => digest(view, path)
})

const readFile = (view: View, path: string, maxBytes: number): ReturnType<Reader["readFile"]> =>
  withFile(view, path, (file) =>
    Effect.map(readAll(file, maxBytes), (bytes) => ({ bytes, digest: Canonical.digest(bytes) }))
  )

const info = (view: View, path: string): ReturnType<Reader["info"]> =>
  lookAt(view.root, path, "read").pipe(
    Effect.flatMap((found) =>
      found.stats === null ? Effect.fail(failWith("ENOENT", path)) : Effect.succeed(infoOf(found.path, found.stats))
    )
  )

/** Returns the higher sensitivity of the path itself and its target, where secret is the highest. */
const inspect = (view: View, path: string): ReturnType<Reader["inspect"]> =>
  visit(view.root, { path, access: "read", follow: true, missing: "imagine" }, (place) => {
    const { judged } = view.root
    if (judged?.has(path) === false) judged.set(path, { entry: place.entry, place: place.segments })
    const written = split(path)
    const sensitive = Sensitive.sensitivity(written)
    // Most paths are written as they resolve, and are then checked once.
    const named = areSame(written, place.segments) ? sensitive : Sensitive.sensitivity(place.segments)
    const found = sensitivityOf(view.root, place.segments, named)
    const isDirectory = place.stats?.isDirectory() === true
    const sensitivity = sensitive === "secret" || found === "none" ? sensitive : found
    return Effect.succeed({
      path: place.path,
      sensitivity: isDirectory && sensitivity === "secret" ? "none" : sensitivity
    })
  })

/**
 * Returns the sensitivity of a path, given that of its names. Copies of secrets are secret, and parts of a repository
 * under any name are also configuration, because git runs the programs that they name.
 */
const sensitivityOf = (
  root: Root,
  segments: ReadonlyArray<string>,
  named: WorkspaceRead.Sensitivity
): WorkspaceRead.Sensitivity => {
  if (named === "secret" || isSecretCopy(root, segments)) return "secret"
  return named === "none" && isPartOfRepository(root, segments) ? "configuration" : named
}

const digest = (view: View, path: string): ReturnType<Reader["digest"]> =>
  visit(view.root, { path, access: "read", follow: true, missing: "imagine" }, (place) => {
    if (place.stats === null) return Effect.succeed(null)
    if (place.stats.isDirectory()) return treeDigest(view, place)
    return regular(view.root, place, "read").pipe(
      Effect.andThen(useAt(view.root, place, digestOf)),
      Effect.map((found) => found?.value ?? null)
    )
  }).pipe(Effect.catch((error) => linkDigest(view, path, error)))

/** Returns the digest of a link's text if the link may not be followed; other errors are passed on. */
const linkDigest = (view: View, path: string, error: ToolError.ToolError): ReturnType<Reader["digest"]> =>
  visit(view.root, { path, access: "read", follow: false, missing: "fail" }, (place) =>
    place.stats?.isSymbolicLink() === true
      ? call(() => `link:${Canonical.digest(fs.readlinkSync(place.at))}`).pipe(Effect.mapError(report(path)))
      : Effect.fail(error)
  )

/** Digests the names, kinds, sizes and times of all entries below a directory, without reading content. */
const treeDigest = ({ root }: View, location: WalkLocation): Effect.Effect<string, ToolError.ToolError> =>
  Effect.map(
    entriesBelow(root, location, { access: "read", state: "skip" }),
    (entries) =>
      `tree:${Canonical.digestOf(entries.map(({ bytes, changedAtMillis, inner, kind }) => [inner, kind, kind === "directory" ? 0 : bytes, changedAtMillis]))}`
  )

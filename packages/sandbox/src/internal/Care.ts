/** How what a survey found is shown to a command: as it is and read-only, empty, or without what is secret in it. */
import * as Effect from "effect/Effect"
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { contains } from "../Toolchains.ts"
import type { Finding } from "./Survey.ts"

export interface Shown {
  /** Existing entries that stay as they are. */
  readonly readOnly: ReadonlyArray<string>
  /** Directories shown empty. */
  readonly hidden: ReadonlyArray<string>
  /** Files shown with another content. */
  readonly replaced: ReadonlyArray<Replaced>
}

export interface Replaced {
  readonly path: string
  readonly content: string
}

/** Each root may itself be a repository; `repositories` lie elsewhere and are shown too. */
export const shown = (
  findings: ReadonlyArray<Finding>,
  { repositories, roots }: { readonly roots: ReadonlyArray<string>; readonly repositories: ReadonlyArray<string> }
): Shown => {
  const readOnly: Array<string> = []
  const hidden: Array<string> = []
  const replaced: Array<Replaced> = []
  const configurations = [
    ...roots.map((root) => `${root}/.git/config`),
    ...repositories.map((path) => `${path}/config`)
  ]
  for (const { care, kind, path } of findings) {
    // Nothing can be mounted on a link; one that a command puts in its place is found afterwards.
    if (kind === "link" || kind === "other") continue
    if (care === "key" || care === "secret") {
      if (kind === "file") replaced.push({ path, content: path.endsWith("/.npmrc") ? plainSettings(path) : "" })
      continue
    }
    if (care === "state" && kind === "directory" && !path.endsWith("/.bough")) {
      hidden.push(path)
      continue
    }
    readOnly.push(path)
    if (care === "repository") {
      configurations.push(`${path}/config`)
      const elsewhere = kind === "file" ? repositoryNamedBy(path, roots) : null
      if (elsewhere !== null) readOnly.push(elsewhere)
    }
  }
  for (const path of configurations) {
    const text = read(path)
    const plain = text === null ? null : withoutCredentials(text)
    if (plain !== null && plain !== text) replaced.push({ path, content: plain })
  }
  return { readOnly: [...new Set(readOnly)].toSorted(), hidden, replaced }
}

/** The same where a user let the command change the rest: secrets stay hidden, and Bough's own directories as they are. */
export const ownAlone = (shown: Shown): Shown => ({
  ...shown,
  readOnly: shown.readOnly.filter((path) => path.endsWith("/.bough"))
})

const plainSettings = (path: string): string =>
  (read(path) ?? "").replaceAll(/^.*(?:_auth|password|username|token|secret|:email|certfile|keyfile).*$\n?/gimu, "")

/** A repository's configuration without the passwords in its addresses and headers. */
export const withoutCredentials = (text: string): string =>
  text
    .replaceAll(/(:\/\/)[^/@\s"]*@/gu, "$1")
    .replaceAll(/^[ \t]*(?:extraheader|password|token|oauth\w*|cookiefile|sslkey)[ \t]*=.*$\n?/gimu, "")

/** The repository that a `.git` file leads to, where it lies in a root under another name. */
const repositoryNamedBy = (path: string, roots: ReadonlyArray<string>): string | null => {
  const named = /^gitdir: (.+)$/mu.exec(read(path) ?? "")?.[1]
  const target = named === undefined ? null : resolve(dirname(path), named.trimEnd())
  const isInside = target !== null && !roots.includes(target) && roots.some((root) => contains(root, target))
  return isInside && !target.includes("/.git/") && isRealDirectory(target) ? target : null
}

const isRealDirectory = (path: string): boolean => opened(path, constants.O_DIRECTORY, () => true) ?? false

const maxBytes = 1024 ** 2

/** Null: it is no small regular file at exactly this path. */
const read = (path: string): string | null =>
  opened(path, constants.O_NONBLOCK, (descriptor) => {
    const stats = fstatSync(descriptor)
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(descriptor, "utf8") : null
  })

/** Null: the path leads over a link, or there is nothing. */
const opened = <A>(path: string, flags: number, use: (descriptor: number) => A): A | null =>
  Effect.runSync(
    Effect.acquireUseRelease(
      Effect.try(() => openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | flags)),
      (descriptor) => Effect.try(() => (readlinkSync(`/proc/self/fd/${descriptor}`) === path ? use(descriptor) : null)),
      (descriptor) => Effect.sync(() => closeSync(descriptor))
    ).pipe(Effect.orElseSucceed(() => null))
  )

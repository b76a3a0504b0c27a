/** Determines how the findings of a survey are shown to a command: read-only, empty, or without secrets. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync
} from "node:fs"
import { dirname, resolve } from "node:path"
import { contains } from "../Toolchains.ts"
import * as GitConfiguration from "./GitConfiguration.ts"
import type { SensitiveEntry } from "./Survey.ts"

export interface ViewParts {
  /** Existing entries that commands cannot change. */
  readonly readOnly: ReadonlyArray<string>
  /**
   * The protected entries that git finds by their path, so that their parent directories must not be moved either.
   */
  readonly pinned: ReadonlyArray<string>
  /** Directories that appear empty. */
  readonly hidden: ReadonlyArray<string>
  /** Files whose content is replaced. */
  readonly replaced: ReadonlyArray<ReplacedFile>
}

export interface ReplacedFile {
  readonly path: string
  readonly content: string
}

/** Each root may itself be a repository; `repositories` are other repositories, which are also shown. */
export const viewOf = (
  findings: ReadonlyArray<SensitiveEntry>,
  { repositories, roots }: { readonly roots: ReadonlyArray<string>; readonly repositories: ReadonlyArray<string> }
): ViewParts => {
  const readOnly: Array<string> = []
  const pinned: Array<string> = []
  const hidden: Array<string> = []
  const replaced: Array<ReplacedFile> = []
  const configurations = [
    ...roots.map((root) => `${root}/.git/config`),
    ...repositories.map((path) => `${path}/config`)
  ]
  const concealed = new Set<string>()
  const conceal = (path: string): void => {
    if (concealed.has(path)) return
    concealed.add(path)
    replaced.push({ path, content: withoutSecrets(path) })
  }
  for (const { care, kind, path } of findings) {
    if (care === "key" || care === "secret") {
      // A link cannot be a mount point, but its target can.
      const target = kind === "file" ? path : kind === "link" ? fileBehind(path, roots) : null
      if (target !== null) conceal(target)
      continue
    }
    if (kind === "link" || kind === "other") continue
    if (care === "state" && kind === "directory" && !path.endsWith("/.bough")) {
      hidden.push(path)
      continue
    }
    readOnly.push(path)
    if (care === "repository") {
      configurations.push(`${path}/config`)
      const otherRepository = kind === "file" ? repositoryNamedBy(path, roots) : null
      if (otherRepository !== null) readOnly.push(otherRepository)
    }
  }
  for (const path of [...configurations, ...roots.flatMap((root) => configurationsBelow(`${root}/.git/modules`))]) {
    const text = read(path)
    for (const place of text === null ? [] : GitConfiguration.placesOfPrograms(text, path)) {
      if (!roots.includes(place) && roots.some((root) => contains(root, place)) && isReal(place)) pinned.push(place)
    }
    const plain = text === null ? null : withoutCredentials(text)
    if (plain !== null && plain !== text) replaced.push({ path, content: plain })
  }
  return { readOnly: [...new Set([...readOnly, ...pinned])].toSorted(), pinned, hidden, replaced }
}

/**
 * Selects the protections that remain if a user allowed the command to change protected entries: secrets stay hidden,
 * and Bough's own directories protected.
 */
export const ownAlone = (viewOf: ViewParts): ViewParts => ({
  ...viewOf,
  readOnly: viewOf.readOnly.filter((path) => path.endsWith("/.bough"))
})

const settingsOfPackageManagers = ["/.npmrc", "/.yarnrc.yml"]

/**
 * Returns the content that programs see instead of a file with secrets: empty, or the shortest content that they can
 * parse.
 */
const withoutSecrets = (path: string): string =>
  settingsOfPackageManagers.some((name) => path.endsWith(name))
    ? plainSettings(path)
    : path.endsWith(".json")
      ? "{}\n"
      : ""

const plainSettings = (path: string): string =>
  (read(path) ?? "").replaceAll(
    /^.*(?:_auth|auth(?:token|ident)|password|username|token|secret|:email|certfile|keyfile).*$\n?/gimu,
    ""
  )

/** Returns the file of a root to which a link leads. */
const fileBehind = (path: string, roots: ReadonlyArray<string>): string | null =>
  Result.getOrNull(
    Result.try(() => {
      const target = realpathSync.native(path)
      return roots.some((root) => contains(root, target)) && statSync(target).isFile() ? target : null
    })
  )

/** Returns a repository's configuration without the passwords in its addresses and headers. */
export const withoutCredentials = (text: string): string =>
  text
    .replaceAll(/(:\/\/)[^/@\s"]*@/gu, "$1")
    .replaceAll(/^[ \t]*(?:extraheader|password|token|oauth\w*|cookiefile|sslkey)[ \t]*=.*$\n?/gimu, "")

/** Finds the configurations of submodules' repositories at any depth. */
const configurationsBelow = (directory: string): ReadonlyArray<string> =>
  Result.getOrElse(
    Result.try(() => readdirSync(directory, { withFileTypes: true })),
    () => []
  ).flatMap((entry) => {
    if (!entry.isDirectory()) return []
    const path = `${directory}/${entry.name}`
    return existsSync(`${path}/HEAD`)
      ? [`${path}/config`, ...configurationsBelow(`${path}/modules`)]
      : configurationsBelow(path)
  })

/** Returns the repository that a `.git` file names, if it is in a root under another name. */
const repositoryNamedBy = (path: string, roots: ReadonlyArray<string>): string | null => {
  const named = /^gitdir: (.+)$/mu.exec(read(path) ?? "")?.[1]
  const target = named === undefined ? null : resolve(dirname(path), named.trimEnd())
  const isInside = target !== null && !roots.includes(target) && roots.some((root) => contains(root, target))
  return isInside && !target.includes("/.git/") && isRealDirectory(target) ? target : null
}

/** True if the path exists and contains no link. */
const isReal = (path: string): boolean =>
  Result.getOrElse(
    Result.try(() => realpathSync.native(path) === path),
    () => false
  )

const isRealDirectory = (path: string): boolean => withDescriptor(path, constants.O_DIRECTORY, () => true) ?? false

const maxBytes = 1024 ** 2

/** Reads a file; null: the path contains a link, or is not that of a small regular file. */
const read = (path: string): string | null =>
  withDescriptor(path, constants.O_NONBLOCK, (descriptor) => {
    const stats = fstatSync(descriptor)
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(descriptor, "utf8") : null
  })

/** Returns the opened path, without links; on other systems than Linux, the path with links resolved now. */
const pathOf = (descriptor: number, path: string): string =>
  process.platform === "linux" ? readlinkSync(`/proc/self/fd/${descriptor}`) : realpathSync.native(path)

/** Opens a path; null: it contains a link, or does not exist. */
const withDescriptor = <A>(path: string, flags: number, use: (descriptor: number) => A): A | null =>
  Effect.runSync(
    Effect.acquireUseRelease(
      Effect.try(() => openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | flags)),
      (descriptor) => Effect.try(() => (pathOf(descriptor, path) === path ? use(descriptor) : null)),
      (descriptor) => Effect.sync(() => closeSync(descriptor))
    ).pipe(Effect.orElseSucceed(() => null))
  )

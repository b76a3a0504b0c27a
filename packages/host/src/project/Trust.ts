/**
 * The user's decisions to trust files of projects, stored in the data directory. A decision is valid for one content of
 * a file: after a change the user is asked again.
 */
import * as SmallFile from "@bough/disk/SmallFile"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { join } from "node:path"
import type { ProjectFile } from "./ProjectFiles.ts"

export type Decision = "trusted" | "declined"

const StoredDecisions = Schema.fromJsonString(
  Schema.Struct({
    v: Schema.Literal(1),
    files: Schema.Record(
      Schema.String,
      Schema.Struct({ digest: Schema.String, decision: Schema.Literals(["trusted", "declined"]) })
    )
  })
)
type StoredDecisions = typeof StoredDecisions.Type

const fileOf = (dataDirectory: string): string => join(dataDirectory, "trust.json")

/** Reads the decisions; a damaged file counts as empty, and the user is asked again. */
const load = (dataDirectory: string): StoredDecisions["files"] => {
  const text = Result.getOrElse(
    Result.try(() => SmallFile.read(fileOf(dataDirectory))),
    () => null
  )
  const stored = Option.flatMap(Option.fromNullOr(text), Schema.decodeUnknownOption(StoredDecisions))
  return Option.match(stored, { onNone: () => ({}), onSome: ({ files }) => files })
}

/** A folder is trusted by its path, since its files change with each commit. */
const folderDigest = "folder"

/** True if the user trusts this folder with any content of its files. */
export const isFolderTrusted = (dataDirectory: string, folder: string): boolean => {
  const stored = load(dataDirectory)
  const record = Object.hasOwn(stored, folder) ? stored[folder] : undefined
  return record?.digest === folderDigest && record.decision === "trusted"
}

/** Saves that the user trusts this folder. Throws if it cannot be written. */
export const rememberFolder = (dataDirectory: string, folder: string): void =>
  save(dataDirectory, { [folder]: { digest: folderDigest, decision: "trusted" } })

/** Returns the decision about the current content of each file; null: there is none. */
export const decisions = (
  dataDirectory: string,
  files: ReadonlyArray<ProjectFile>
): ReadonlyMap<ProjectFile, Decision | null> => {
  const stored = files.length === 0 ? {} : load(dataDirectory)
  return new Map(
    files.map((file) => {
      const record = Object.hasOwn(stored, file.path) ? stored[file.path] : undefined
      return [file, record?.digest === file.digest ? record.decision : null]
    })
  )
}

/** Saves a decision about the current content of these files. Throws if it cannot be written. */
export const remember = (dataDirectory: string, files: ReadonlyArray<ProjectFile>, decision: Decision): void => {
  save(dataDirectory, Object.fromEntries(files.map(({ digest, path }) => [path, { digest, decision }])))
}

const save = (dataDirectory: string, added: StoredDecisions["files"]): void => {
  const stored: StoredDecisions = { v: 1, files: { ...load(dataDirectory), ...added } }
  SmallFile.replace(fileOf(dataDirectory), JSON.stringify(stored, null, 1))
}

/** The names in a directory, and the names that no snapshot contains. */
import { SensitivePath } from "@bough/tool"
import { Buffer } from "node:buffer"
import * as fs from "node:fs"
import { orElse } from "./attempt.ts"
import { toPath } from "./ByteName.ts"
import type * as Directories from "./Directories.ts"

/** Returns the names; null: the directory cannot be read. */
export const namesIn = (directory: Directories.Directory): ReadonlyArray<string> | null =>
  orElse(
    () => fs.readdirSync(toPath(`${directory.prefix}.`), "latin1"),
    () => null
  )

/** True for version control and the operator's own state, which snapshots never contain, in any directory. */
export const isState = (name: string): boolean => {
  const folded = SensitivePath.fold(Buffer.from(name, "latin1").toString("utf8"))
  return folded === ".git" || folded === ".bough"
}

/** True for the temporary file of a write, which will be renamed or removed. */
export const isTemporary = (name: string): boolean => /^\.bough-[0-9a-f]{24}\.tmp$/u.test(name)

/** True if the path equals one of these paths, segment by segment. */
export const isAmong = (places: ReadonlyArray<ReadonlyArray<string>>, segments: ReadonlyArray<string>): boolean =>
  places.some((place) => place.length === segments.length && place.every((part, at) => part === segments[at]))

/** Checks the free space for the journal: on a full disk no message can be stored. */
import { SystemError } from "@bough/disk"
import { statfsSync } from "node:fs"
import { type Check, pass, problem } from "./Check.ts"

const name = "disk"
const mebibyte = 1024 * 1024
const minBytes = 200 * mebibyte

/** Checks the free space of the disk that holds a directory. */
export const checkDisk = (directory: string): Check => {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return free(directory, bavail * bsize)
  } catch (error) {
    return problem(name, `cannot read the free space of ${directory}: ${SystemError.reason(error)}`, "set BOUGH_HOME")
  }
}

export const free = (directory: string, bytes: number): Check => {
  const detail = `${Math.floor(bytes / mebibyte)} MiB free for ${directory}`
  return bytes < minBytes
    ? problem(name, detail, "free some disk space, or set BOUGH_HOME to a directory on another disk")
    : pass(name, detail)
}

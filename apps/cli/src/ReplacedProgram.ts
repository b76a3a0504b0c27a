/**
 * Recognises that files of the program were replaced or removed while it ran, as by an upgrade: parts that are loaded on
 * first use are then missing, or do not fit the loaded ones.
 */
import { dirname } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const ownDirectory = dirname(fileURLToPath(import.meta.url))

const codes: ReadonlySet<unknown> = new Set(["ERR_MODULE_NOT_FOUND", "ENOENT"])

/** True if a file of the program is the cause of the error. `directory`: that of the program. */
export const isCause = (error: unknown, directory = ownDirectory): boolean =>
  error instanceof Error && (isMissing(error, directory) || isMismatch(error, directory))

const isMissing = (error: Error, directory: string): boolean => {
  if (!("code" in error) || !codes.has(error.code)) return false
  if ("url" in error) return String(error.url).startsWith(`${pathToFileURL(directory).href}/`)
  return "path" in error && String(error.path).startsWith(`${directory}/`)
}

const isMismatch = (error: Error, directory: string): boolean =>
  error instanceof SyntaxError &&
  error.message.includes("does not provide an export named") &&
  (error.stack ?? "").includes(directory)

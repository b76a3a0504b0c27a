import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

const contentOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/**
 * Replaces the file atomically, and only if its text differs, so a running command never reads a partly written file.
 */
export const writeChanged = (path: string, text: string, mode = 0o644): void => {
  if (contentOf(path) !== text) {
    mkdirSync(dirname(path), { recursive: true })
    const temporaryPath = `${path}.${process.pid}`
    writeFileSync(temporaryPath, text)
    renameSync(temporaryPath, path)
  }
  chmodSync(path, mode)
}

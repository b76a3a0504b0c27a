/**
 * The begin of every program: a Node that is too old is named, and the compile cache is on before anything else is loaded.
 * Only its owner can write the cache: code from it is run.
 */
import * as Directory from "@bough/disk/Directory"
import { dataDirectory } from "@bough/host/config/Home"
import * as nodeModule from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import { isTooOld, oldest } from "../OldestNode.ts"

const cache = (): string => {
  const home = dataDirectory({ variables: process.env, platform: process.platform, home: homedir() })
  const directory = join(home, "compile-cache")
  Directory.make(directory)
  return directory
}

/** Returns whether the program can run on this Node. */
export const begin = (name: string): boolean => {
  // Node before 24 prints a warning at every start that its SQLite is experimental, to users who cannot change that.
  if (Number.parseInt(process.versions.node, 10) < 24) {
    process.removeAllListeners("warning")
    process.on("warning", ({ message, name: kind }) => {
      if (kind !== "ExperimentalWarning") process.stderr.write(`${kind}: ${message}\n`)
    })
  }
  if (isTooOld(process.versions.node)) {
    process.stderr.write(`${name}: Node ${process.versions.node} is too old — use Node ${oldest} or newer\n`)
    process.exitCode = 1
    return false
  }
  try {
    nodeModule.enableCompileCache(process.env["NODE_COMPILE_CACHE"] ?? cache())
  } catch {
    // Without it the program starts slower; whether its directory can be used is told by what needs it.
  }
  return true
}

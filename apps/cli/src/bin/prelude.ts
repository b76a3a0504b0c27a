/**
 * The start of every program: rejects a Node version that is too old, and switches the compile cache on before anything
 * else is loaded. Only its owner can write the cache, because code from the cache is run.
 */
import * as Directory from "@bough/disk/Directory"
import * as HomeDirectory from "@bough/disk/HomeDirectory"
import { dataDirectory } from "@bough/host/config/Home"
import * as nodeModule from "node:module"
import { join } from "node:path"
import { reserveStdout } from "../io/reserveStdout.ts"
import { isTooOld, oldest } from "../OldestNode.ts"

const cache = (): string => {
  const home = dataDirectory({ variables: process.env, platform: process.platform, home: HomeDirectory.find() })
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
    // Without the cache the program starts more slowly. If its directory is unusable, the code that needs the directory
    // reports the error.
  }
  // The modules of packs are loaded next.
  reserveStdout(process)
  return true
}

#!/usr/bin/env node
/**
 * The entry of the `bough` command, for any Node: it names a version that is too old. Nothing more is loaded before the
 * compile cache is on, which only its owner can write: code from it is run.
 */
import * as Directory from "@bough/disk/Directory"
import * as nodeModule from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import { dataDirectory } from "@bough/host/config/Home"
import { isTooOld, oldest } from "../OldestNode.ts"

const cache = (): string => {
  const home = dataDirectory({ variables: process.env, platform: process.platform, home: homedir() })
  const directory = join(home, "compile-cache")
  Directory.make(directory)
  return directory
}

// Node before 24 prints a warning at every start that its SQLite is experimental, to people who cannot change that.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.removeAllListeners("warning")
  process.on("warning", ({ message, name }) => {
    if (name !== "ExperimentalWarning") process.stderr.write(`${name}: ${message}\n`)
  })
}

if (isTooOld(process.versions.node)) {
  process.stderr.write(`bough: Node ${process.versions.node} is too old — use Node ${oldest} or newer\n`)
  process.exitCode = 1
} else {
  try {
    nodeModule.enableCompileCache(process.env["NODE_COMPILE_CACHE"] ?? cache())
  } catch {
    // Without it the program starts slower; whether its directory can be used is told by what needs it.
  }
  await import("./program.ts")
}

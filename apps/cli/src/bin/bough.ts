#!/usr/bin/env node
/**
 * The entry of the `bough` command. Nothing is loaded before the compile cache is on, which is kept where nobody else
 * can write: whoever could, would run code here.
 */
import { enableCompileCache } from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import { dataDirectory } from "../Home.ts"

if (process.env["NODE_DISABLE_COMPILE_CACHE"] === undefined) {
  const home = dataDirectory({ variables: process.env, platform: process.platform, home: homedir() })
  enableCompileCache(process.env["NODE_COMPILE_CACHE"] ?? join(home, "compile-cache"))
}
await import("./program.ts")

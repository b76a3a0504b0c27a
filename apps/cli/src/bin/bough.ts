#!/usr/bin/env node
/** The entry of the `bough` command, for any Node. Nothing more is loaded before the compile cache is on. */
import { packsFlag, runWith } from "./packsFlag.ts"
import { begin } from "./prelude.ts"

if (begin("bough")) {
  const { INIT_CWD: typedIn = "" } = process.env
  const packs = packsFlag(process.argv.slice(2), () => (typedIn === "" ? process.cwd() : typedIn))
  await (packs === null ? import("./program.ts") : runWith(packs))
}

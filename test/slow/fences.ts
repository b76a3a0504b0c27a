/** The fenced blocks of a document, in order. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { repository } from "./machine.ts"

export interface Fence {
  /** The text after the opening backticks, such as `ts run`. */
  readonly info: string
  readonly body: string
}

export const fencesOf = (document: string): ReadonlyArray<Fence> =>
  [...readFileSync(join(repository, document), "utf8").matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ([, info = "", body = ""]) => ({ info: info.trim(), body })
  )

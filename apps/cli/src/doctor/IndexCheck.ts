/** Checks whether a large memory has the library of its index. */
import type { Settings } from "@bough/host/config/Settings"
import * as IndexLibrary from "@bough/host/memory/IndexLibrary"
import { type Check, pass } from "./Check.ts"

export interface IndexFacts {
  readonly embeddingModel: string
  /** The notes of all users. */
  readonly notes: number
  readonly isInstalled: boolean
}

/** Null: an index would not help, or its library is installed. */
export const advice = (program: string, { embeddingModel, isInstalled, notes }: IndexFacts): string | null =>
  embeddingModel === "none" || notes <= IndexLibrary.worthAnIndex || isInstalled
    ? null
    : `${notes.toLocaleString("en")} notes are compared one by one; "${program} memory index install" installs an index for them (LanceDB, 220 MB)`

export const checkIndex = (program: string, facts: IndexFacts): Check => {
  const needed = IndexLibrary.worthAnIndex.toLocaleString("en")
  const without = facts.isInstalled
    ? `LanceDB is installed; it is used above ${needed} notes`
    : `not needed up to ${needed} notes`
  return pass("note index", advice(program, facts) ?? without)
}

export const factsOf = ({ dataDirectory, memory: { embeddingModel } }: IndexSettings, notes: number): IndexFacts => ({
  embeddingModel,
  notes,
  isInstalled: IndexLibrary.isInstalled(dataDirectory)
})

type IndexSettings = Pick<Settings, "dataDirectory" | "memory">

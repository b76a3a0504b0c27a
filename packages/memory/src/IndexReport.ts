/** What notes are compared by meaning with, for people. No model is loaded, nothing is built. */
import type { NoteStore } from "@bough/tool"

/** `notes`: of everybody, those that have a vector. Those saved last may have none yet, and are found all the same. */
export type IndexReport = NoteStore.VectorReport

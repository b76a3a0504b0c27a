/** Describes to people the model that compares notes by meaning. It loads no model and builds no index. */
import type { NoteStore } from "@bough/tool"

/** `notes`: of everybody, those that have a vector. Those saved last may have none yet, and are found all the same. */
export type IndexReport = NoteStore.VectorReport

/** Describes to users the model that compares notes by meaning. It loads no model and builds no index. */
import type { NoteStore } from "@bough/tool"

/**
 * `notes`: the notes of all users that have a vector. Notes saved last may have none yet, and are found all the same.
 */
export type IndexReport = NoteStore.VectorReport

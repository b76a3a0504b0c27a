/**
 * Describes to users the model that compares notes by meaning. Creating the report loads no model and builds no index.
 */
import type { NoteStore } from "@bough/tool"

/**
 * `notes`: the notes of all users that have a vector. The newest notes may not have one yet, but are found
 * nevertheless.
 */
export type IndexReport = NoteStore.VectorReport

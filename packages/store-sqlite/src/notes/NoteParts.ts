/**
 * The parts of the note store that are loaded late and together, because saving a note also searches for similar ones.
 */
export * as NoteHistory from "./NoteHistory.ts"
export * as NoteSearch from "./NoteSearch.ts"
export * as NoteVectors from "./NoteVectors.ts"
export * as NoteWrites from "./NoteWrites.ts"
export * as WordWeights from "./WordWeights.ts"

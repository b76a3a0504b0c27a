/** The parts of the store of notes that it loads late, together: saving a note searches for the like. */
export * as NoteHistory from "./NoteHistory.ts"
export * as NoteSearch from "./NoteSearch.ts"
export * as NoteVectors from "./NoteVectors.ts"
export * as NoteWrites from "./NoteWrites.ts"
export * as WordWeights from "./WordWeights.ts"

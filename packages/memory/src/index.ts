/** Long-term memory over LanceDB. */
export * as Embedder from "./Embedder.ts"
export * as Fusion from "./Fusion.ts"
export * as Memory from "./Memory.ts"
export * as MemoryFiles from "./MemoryFiles.ts"
export * as NoteIndex from "./NoteIndex.ts"
export * as Scratchpads from "./Scratchpads.ts"
export * as SecretPatterns from "./SecretPatterns.ts"

/** Text as files, models and indexes have it: encodings, windows of lines, words, distances. */
export * as EditDistance from "./EditDistance.ts"
export * as LineWindow from "./LineWindow.ts"
export * as NoteWords from "./NoteWords.ts"
export * as TextFormat from "./TextFormat.ts"

/** Encodings, windows of lines, words and edit distances of text in files, prompts and indexes. */
export * as ArgumentText from "./ArgumentText.ts"
export * as EditDistance from "./EditDistance.ts"
export * as LineWindow from "./LineWindow.ts"
export * as NoteWords from "./NoteWords.ts"
export * as TextFormat from "./TextFormat.ts"

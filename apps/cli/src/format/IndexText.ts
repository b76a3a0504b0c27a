/** Describes the progress of the semantic index that is built in the background. */
import type { NoteIndex } from "@bough/memory"
import { type SafeText, text } from "@bough/tui/text/SafeText"

type Listener = NoteIndex.Progress

const cells = 20

/** Returns the progress as part of another line. */
export const percent = ({ done, total }: NoteIndex.IndexProgress): SafeText =>
  text`index ${Math.floor((100 * done) / Math.max(total, 1))}%`

const filledCells = ({ done, total }: NoteIndex.IndexProgress): number =>
  Math.floor((cells * done) / Math.max(total, 1))

const bar = (at: NoteIndex.IndexProgress): string =>
  `  index ${"█".repeat(filledCells(at))}${"░".repeat(cells - filledCells(at))} ${at.done}/${at.total}`

/** Formats one bar per line, at most as many lines as a bar has cells. */
export const bars = (say: (line: string) => void): Listener => {
  let shown = -1
  return (at) => {
    if (at !== null && filledCells(at) !== shown) say(bar(at))
    shown = at === null ? -1 : filledCells(at)
  }
}

/** Prints a line when indexing starts, and one when it completes. */
export const sentences = (say: (line: string) => void): Listener => {
  let last: NoteIndex.IndexProgress | null = null
  return (at) => {
    if (last === null && at !== null) {
      say(`building the index of ${at.total} notes; until then notes are found by words only`)
    }
    if (last !== null && at === null && last.done === last.total) say("the index of notes is built")
    last = at
  }
}

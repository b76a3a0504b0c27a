/**
 * Runs slow first calls early, once the prompt is drawn: libraries compile their regular expressions at first use,
 * which would delay a key or the first words of an answer.
 */
import * as MarkdownRows from "../markdown/MarkdownRows.ts"
import * as Rows from "../text/Rows.ts"

/** Tasks of at most 30 ms each: a key that arrives in between waits for at most one of them. */
const works: ReadonlyArray<() => void> = [
  // Letters beyond ASCII, wide characters, and an emoji of several code points.
  () => void Rows.width("ψé—世👩‍👩‍👧"),
  () => void MarkdownRows.lex("# a\n\nb *c* `d`\n\n- e\n\n> f\n\n```\ng\n```\n\n| h |\n| - |\n| i |\n")
]

/** The pause before the first task, and between two tasks. */
const restMillis = 40

/** Starts the warm-up; the returned function ends it. */
export const start = (): (() => void) => {
  let next = 0
  const timer = setInterval(() => {
    works[next]()
    next += 1
    if (next === works.length) clearInterval(timer)
  }, restMillis)
  return () => clearInterval(timer)
}

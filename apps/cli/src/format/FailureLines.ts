/**
 * Selects the lines of a failed command's output that show why it failed: error lines with their neighbours, and the
 * end. Pure.
 */

/** `Skipped` stands for that many hidden lines. */
export type FailureLine =
  | { readonly _tag: "Line"; readonly text: string }
  | { readonly _tag: "Skipped"; readonly lines: number }

const errorWords =
  /\b(?:error|errors|err!|fail|fails|failed|failure|failing|fatal|panic(?:ked)?|exception|traceback|assert(?:ion)?error|assertion|not ok|undefined reference|cannot|could not|unable to|denied|not found|no such file|segmentation fault)\b|^\s*(?:E\s{2,}|✗|✖|×|❯|not ok\b)|error\[\w+\]|\w(?:Error|Exception)\b/iu
/** Matches counts of zero, which are not errors: `0 failed`, `# fail 0`, `errors: 0`. */
const zeroCount =
  /\b(?:0|no)\s+(?:errors?|fail(?:ed|ures?|ing|s)?)\b|\b(?:errors?|fail(?:ed|ures?|s)?)\b\s*[:=]?\s*0\b/iu

const linesBefore = 1
const linesAfter = 4
const linesAtEnd = 2

/** Returns at most `maxLines` lines, oldest first; only the end if no line looks like an error. */
export const failureLines = (lines: ReadonlyArray<string>, maxLines: number): ReadonlyArray<FailureLine> => {
  const shown = new Set<number>()
  const end = Math.max(0, lines.length - linesAtEnd)
  for (let at = end; at < lines.length; at++) shown.add(at)
  for (const [at, line] of lines.entries()) {
    if (!errorWords.test(line) || zeroCount.test(line)) continue
    const last = Math.min(lines.length - 1, at + linesAfter)
    for (let near = Math.max(0, at - linesBefore); near <= last && shown.size < maxLines; near++) shown.add(near)
    if (shown.size >= maxLines) break
  }
  // Without error lines the end is most informative; with few of them there is room for more of the end.
  for (let at = lines.length - 1; at >= 0 && shown.size < maxLines; at--) shown.add(at)
  return withGaps(lines, shown)
}

const withGaps = (lines: ReadonlyArray<string>, shown: ReadonlySet<number>): ReadonlyArray<FailureLine> => {
  const outputLines: Array<FailureLine> = []
  let skipped = 0
  for (const [at, text] of lines.entries()) {
    if (!shown.has(at)) {
      skipped += 1
      continue
    }
    if (skipped > 0) outputLines.push({ _tag: "Skipped", lines: skipped })
    skipped = 0
    outputLines.push({ _tag: "Line", text })
  }
  return outputLines
}

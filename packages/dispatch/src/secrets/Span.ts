/** A part of a text that is to be hidden, and the name of its secret. */

export interface Span {
  readonly start: number
  readonly end: number
  /** The text that replaces it. */
  readonly marker: string
}

/** Replaces each part; parts that overlap or touch become one, under the marker of the longest of them. */
export const replaceAll = (text: string, spans: ReadonlyArray<Span>): string => {
  if (spans.length === 0) return text
  let visibleText = ""
  let from = 0
  for (const { end, marker, start } of merge(spans)) {
    visibleText += text.slice(from, start) + marker
    from = end
  }
  return visibleText + text.slice(from)
}

export const merge = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const disjoint: Array<Span & { longest: number }> = []
  for (const span of sorted) {
    const last = disjoint.at(-1)
    const length = span.end - span.start
    if (last === undefined || span.start >= last.end) disjoint.push({ ...span, longest: length })
    else {
      const isLonger = length > last.longest
      disjoint[disjoint.length - 1] = {
        start: last.start,
        end: Math.max(last.end, span.end),
        marker: isLonger ? span.marker : last.marker,
        longest: Math.max(last.longest, length)
      }
    }
  }
  return disjoint
}

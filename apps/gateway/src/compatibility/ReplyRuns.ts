/**
 * Tracks how much of a reply was emitted: deltas and the recorded reply both contain its text, and each part is emitted
 * once. A run is an uninterrupted stretch of text or of reasoning.
 */
export type Kind = "Text" | "Reasoning"

export interface ReplyRuns {
  /** Starts again from the first word of the reply; emitted text is not repeated. */
  readonly rewind: () => void
  /** Takes the next piece and returns the part that was not emitted yet; "": all of the piece was emitted. */
  readonly take: (kind: Kind, text: string) => string
}

export const make = (): ReplyRuns => {
  const emittedRuns: Array<{ readonly kind: Kind; length: number }> = []
  let index = -1
  let offset = 0
  return {
    rewind: () => {
      index = -1
      offset = 0
    },
    take: (kind, text) => {
      if (text === "") return ""
      // A run of the other kind ends this one.
      if (index === -1 || kindAt(emittedRuns, index) !== kind) {
        index += 1
        offset = 0
      }
      const run = emittedRuns[index]
      if (run === undefined) {
        emittedRuns.push({ kind, length: text.length })
        offset = text.length
        return text
      }
      // The text differs from the emitted text, which cannot be withdrawn.
      if (run.kind !== kind) return ""
      const fresh = text.slice(Math.max(0, run.length - offset))
      offset += text.length
      run.length = Math.max(run.length, offset)
      return fresh
    }
  }
}

const kindAt = (emittedRuns: ReadonlyArray<{ readonly kind: Kind }>, index: number): Kind | null =>
  emittedRuns[index]?.kind ?? null

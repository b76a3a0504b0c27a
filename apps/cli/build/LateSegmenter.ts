/**
 * `Intl.Segmenter` as the bundle has it: made when text is first divided that needs it, once for all who divide alike.
 * Making one takes 10 ms, half a dozen modules make theirs when they are loaded, and a screen divides each of its rows.
 */
import { lone } from "./LoneCharacters.ts"

const Segmenter = Intl.Segmenter
const isPlain = new RegExp(`^[${lone}]*$`)
const made = new Map<string, Intl.Segmenter>()

/** Divides into graphemes alone: nobody asks for words or sentences. */
class LateSegmenter {
  readonly #locales: ConstructorParameters<typeof Intl.Segmenter>[0]

  constructor(locales?: ConstructorParameters<typeof Intl.Segmenter>[0]) {
    this.#locales = locales
  }

  segment(text: string): Pick<Intl.Segments, "containing"> & Iterable<Intl.SegmentData> {
    if (isPlain.test(text)) return new PlainSegments(text)
    const key = JSON.stringify(this.#locales ?? null)
    const known = made.get(key) ?? new Segmenter(this.#locales, { granularity: "grapheme" })
    made.set(key, known)
    return known.segment(text)
  }
}

/** Of text in which every character is a grapheme. */
class PlainSegments {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  containing(index = 0): Intl.SegmentData {
    return { segment: this.#text.charAt(index), index, input: this.#text }
  }

  *[Symbol.iterator](): Iterator<Intl.SegmentData> {
    for (let index = 0; index < this.#text.length; index++) yield this.containing(index)
  }
}

export { LateSegmenter as "Intl.Segmenter" }

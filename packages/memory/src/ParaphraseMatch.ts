/**
 * Decides whether a text only restates notes: in other lines, slightly reworded, or several of them in one sentence.
 * Pure. Every content word must be in a note, so a significant change, such as another day or a "not", never counts as
 * known. Because words alone do not show subject and object, a text with nearly the reverse word order also counts as
 * new.
 */
import * as ContentWords from "./ContentWords.ts"

/** A sentence or a line, the unit of a restatement. */
interface Unit<A> {
  readonly of: A
  /** The positions of each word, ascending. */
  readonly places: ReadonlyMap<string, ReadonlyArray<number>>
}

/** The minimum number of words of a statement; a single word is a mention. */
const minWords = 2
/** The maximum span of a restatement, as a multiple of the text's length: its words must be close together. */
const spread = 2
/**
 * The minimum share of word pairs that must keep the note's order: moving "in the morning" to the front keeps a
 * third of the pairs, a reversal keeps none.
 */
const minOrder = 1 / 3
/**
 * The minimum share of each note's sentence that a combined sentence must contain: halves of two sentences could make a
 * new statement.
 */
const minPart = 2 / 3

const unitsOf = <A>(of: A, text: string): ReadonlyArray<Unit<A>> =>
  [...text.split(/[\n;]|(?<=[.!?])\s/u), text].flatMap((sentence) => {
    const words = ContentWords.contentWords(sentence)
    const places = new Map<string, Array<number>>()
    for (const [place, word] of words.entries()) places.set(word, [...(places.get(word) ?? []), place])
    return words.length < minWords ? [] : [{ of, places }]
  })

/**
 * Returns the positions of the words in the unit, each as near to the previous one as possible; null: a word is
 * missing.
 */
const placesOfWords = (words: ReadonlyArray<string>, places: Unit<unknown>["places"]): ReadonlyArray<number> | null => {
  const found: Array<number> = []
  for (const word of words) {
    const all = places.get(word)
    if (all === undefined) return null
    const last = found.at(-1)
    const next = last === undefined ? all[0] : (all.find((place) => place > last) ?? all[all.length - 1])
    found.push(next)
  }
  return found
}

const inOrder = (places: ReadonlyArray<number>): number => {
  const pairs = places.flatMap((left, index) =>
    places
      .slice(index + 1)
      .filter((right) => right !== left)
      .map((right) => left < right)
  )
  return pairs.length === 0 ? 1 : pairs.filter(Boolean).length / pairs.length
}

const stands = (words: ReadonlyArray<string>, { places }: Unit<unknown>): boolean => {
  if (new Set(words).size < minWords) return false
  const found = placesOfWords(words, places)
  if (found === null) return false
  const width = Math.max(...found) - Math.min(...found) + 1
  return width <= spread * words.length && inOrder(found) >= minOrder
}

/** The maximum number of words of a text that is compared as a whole; longer texts are compared only line by line. */
const maxWords = 400
/** The maximum number of words of one restated part, which no sentence of a note exceeds. */
const maxPartLength = 80

/** Returns the notes that a text restates, without repetition; null: some of the text is new. */
export const restatedNotes = <A>(
  text: string,
  notes: ReadonlyArray<{ readonly of: A; readonly text: string }>
): ReadonlyArray<A> | null => {
  const words = ContentWords.contentWords(text)
  if (words.length < minWords || words.length > maxWords) return null
  const units = notes.flatMap((note) => unitsOf(note.of, note.text))
  const matchingUnit = units.find((unit) => stands(words, unit))
  return matchingUnit === undefined ? joinUnits(words, units) : [matchingUnit.of]
}

/** Splits a text into consecutive parts that are each nearly a unit. */
const joinUnits = <A>(words: ReadonlyArray<string>, units: ReadonlyArray<Unit<A>>): ReadonlyArray<A> | null => {
  /** The items that the first words restate, by number of words. */
  const known: Array<ReadonlyArray<A> | null> = [[], ...words.map(() => null)]
  for (const [start, before] of known.entries()) {
    if (before === null) continue
    for (const unit of units) {
      for (let end = start + 1; end <= Math.min(words.length, start + maxPartLength); end++) {
        if (!unit.places.has(words[end - 1])) break
        const part = words.slice(start, end)
        if (known[end] !== null || new Set(part).size < unit.places.size * minPart || !stands(part, unit)) continue
        known[end] = [...before, unit.of]
      }
    }
  }
  const all = known[words.length]
  return all === null ? null : [...new Set(all)]
}

/** How well a text fits the words of a query: Okapi BM25 (Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework"). */

const saturation = 1.2
const lengthWeight = 0.75

/** What a word that is in `having` of `all` texts says. Never below nothing: a word that is in most of them still finds them. */
export const rarity = (all: number, having: number): number =>
  Math.max(1e-6, Math.log((all - having + 0.5) / (having + 0.5)))

/** Of a word that a text of `length` words has `count` times. `meanLength` is that of all texts. */
export const share = (count: number, length: number, meanLength: number): number => {
  const norm = saturation * (1 - lengthWeight + (lengthWeight * length) / meanLength)
  return (count * (saturation + 1)) / (count + norm)
}

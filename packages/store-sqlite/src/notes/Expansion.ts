/**
 * Finds other words that a query's words may stand for in the user's own notes: similar spellings, and abbreviations.
 */
import type { Database } from "../driver/Database.ts"
import * as Abbreviation from "./Abbreviation.ts"
import * as Definition from "./Definition.ts"
import * as FunctionWords from "./FunctionWords.ts"
import * as Initials from "./Initials.ts"
import * as Phrases from "./Phrases.ts"
import * as Vocabulary from "./Vocabulary.ts"
import * as Words from "./Words.ts"

/** `share`: the weight of this word in a score, relative to the word itself. */
export interface Expansion {
  readonly words: ReadonlyArray<string>
  readonly share: number
  /** The words of the query for which it stands, folded. */
  readonly standsFor: ReadonlyArray<string>
}

type WordMeaning = Omit<Expansion, "standsFor">

const strongShare = 0.7
const weakShare = 0.5

/** The factor for a correction of a short word or by two edits, which is similar to many unrelated words. */
const shortWord = 6

/** The maximum number of words of a query that are corrected, because comparing a word takes milliseconds. */
const maxUnknown = 4
/** The maximum number of notes that are read for the meaning of a short form. */
const maxRead = 32
/** The maximum number of meanings of one word. */
const maxMeanings = 4

const distinct = <A extends WordMeaning>(expansions: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...new Map(
    expansions.toSorted((left, right) => left.share - right.share).map((each) => [each.words.join(" "), each])
  ).values()
]

const meaningOf = (word: string, share: number): WordMeaning => ({ words: [word], share })

const isKnown = (database: Database, user: number, word: string): boolean =>
  database.get("SELECT 1 FROM notes_words WHERE notes_words MATCH ? LIMIT 1", [
    `words : "${Words.storedWord(user, word)}"`
  ]) !== undefined

/** Returns texts that have the word and a bracket, the newest first. */
const textsWithBracket = (database: Database, user: number, word: string): ReadonlyArray<string> =>
  database
    .all(
      `SELECT text FROM notes WHERE instr(text, '(') > 0 AND row IN (
         SELECT rowid FROM notes_words WHERE notes_words MATCH ? ORDER BY rowid DESC LIMIT ?) ORDER BY row DESC`,
      [`words : "${Words.storedWord(user, word)}"`, maxRead]
    )
    .map((row) => String(row["text"]))

const meaningsOf = (database: Database, user: number, short: string): ReadonlyArray<WordMeaning> => {
  const defined = textsWithBracket(database, user, short).flatMap((text) => {
    const words = Definition.definitionOf(short, text)
    return words === null ? [] : [{ words, share: strongShare }]
  })
  const texts = Initials.textsWith(database, user, { wanted: Abbreviation.initialsOf(short), limit: maxRead })
  const spelled = texts.flatMap((text) =>
    Phrases.phrasesOf(text).flatMap((phrase) => {
      const words = Abbreviation.spelledOut(short, phrase)
      return words === null ? [] : [{ words, share: weakShare }]
    })
  )
  const letters = Abbreviation.countedLetters(short)
  const counted =
    letters === null
      ? []
      : Vocabulary.wordsWithPrefix(database, user, letters.first).filter((word) => Abbreviation.isOfWord(short, word))
  return [...distinct(defined), ...counted.map((word) => meaningOf(word, strongShare)), ...distinct(spelled)].slice(
    0,
    maxMeanings
  )
}

/** The minimum length of a prefix: shorter ones match too many words. */
const shortestBeginning = 4

/**
 * The fewest letters of a compound before its last part: shorter parts are usually prefixes that change the meaning.
 */
const shortestFirstPart = 3

/** Returns compounds with this last part, which determines their meaning: "Arzt" for Hausarzt. */
const compoundsOf = (database: Database, user: number, word: string): ReadonlyArray<WordMeaning> =>
  word.length < shortestBeginning
    ? []
    : Vocabulary.wordsWithSuffix(database, user, word)
        .filter((longer) => longer.length >= word.length + shortestFirstPart)
        .slice(0, maxMeanings)
        .map((longer) => meaningOf(longer, weakShare))

/** The fewest letters of each part of a joined word, and of the whole. */
const shortestPart = 3
const shortestJoined = 8
/** The maximum number of pairs of words that are looked for, because each is compared with every long word. */
const maxPairs = 4
/** The letters that German puts between the parts of a compound. */
const links = ["", "s"]

/** Returns the pairs of words that follow each other in a query, apart from function words. */
const neighbours = (query: ReadonlyArray<Phrases.Phrase>): ReadonlyArray<readonly [string, string]> =>
  query
    .flatMap((phrase) => {
      const parts = phrase
        .filter(({ word, written }) => Vocabulary.isSpelled(word) && !FunctionWords.has(written.toLowerCase()))
        .map(({ word }) => word)
      return parts.slice(1).map((word, index): [string, string] => [parts[index], word])
    })
    .filter(
      ([one, other]) =>
        Math.min(one.length, other.length) >= shortestPart && one.length + other.length >= shortestJoined
    )
    .slice(0, maxPairs)

/**
 * Returns words of the notes that join two neighbouring words of the query: an identifier for its parts, and a compound
 * for its parts in either order ("nearby stops" for fetchNearbyStops, "Lieferant für Hopfen" for Hopfenlieferant).
 */
const joining = (database: Database, user: number, query: ReadonlyArray<Phrases.Phrase>): ReadonlyArray<Expansion> => {
  const joined = neighbours(query).flatMap(([one, other]) =>
    links.flatMap((link) => [one + link + other, other + link + one].map((part) => ({ part, standsFor: [one, other] })))
  )
  if (joined.length === 0) return []
  const words = Vocabulary.wordsWithPart(
    database,
    user,
    joined.map(({ part }) => part)
  )
  return words.slice(0, 2 * maxMeanings).map((word) => ({
    ...meaningOf(word, strongShare),
    standsFor: joined.find(({ part }) => word.includes(part))?.standsFor ?? []
  }))
}

/** Returns words with this prefix: "repo" for repository, "AuthN" for authentication. */
const longerThan = (database: Database, user: number, word: string): ReadonlyArray<WordMeaning> => {
  if (word.length < shortestBeginning) return []
  return [
    ...Vocabulary.wordsWithPrefix(database, user, word).filter((longer) => longer.length >= word.length + 3),
    ...Vocabulary.wordsWithPrefix(database, user, word.slice(0, -1)).filter((longer) =>
      Abbreviation.isOfWord(word, longer)
    )
  ]
    .slice(0, maxMeanings)
    .map((longer) => meaningOf(longer, weakShare))
}

const nearTo = (database: Database, user: number, word: string): ReadonlyArray<WordMeaning> =>
  Vocabulary.similarWords(database, user, word).map(({ edits, word: near }) =>
    meaningOf(near, edits === 1 && word.length >= shortWord ? strongShare : weakShare)
  )

/** Returns the words of the query for which the short form stands. */
const spelledIn = (query: ReadonlyArray<Phrases.Phrase>, short: string): ReadonlyArray<string> =>
  query.flatMap((phrase) => [
    // No words may be skipped: a message has many words, whose initials would match many short forms by chance.
    ...(Abbreviation.spelledOut(short, phrase, true) ?? []),
    ...phrase.flatMap(({ word }) => (Abbreviation.isOfWord(short, word) ? [word] : []))
  ])

/** Returns short forms in the notes that stand for words of the query. */
const shortFor = (database: Database, user: number, query: ReadonlyArray<Phrases.Phrase>): ReadonlyArray<Expansion> =>
  Vocabulary.shortForms(database, user)
    .map((short) => ({ ...meaningOf(short, weakShare), standsFor: spelledIn(query, short) }))
    .filter(({ standsFor }) => standsFor.length > 0)
    .slice(0, 2 * maxMeanings)

/** True for a short word in lower case if no word of the user's notes has its first or last letters. */
const looksShort = (database: Database, user: number, word: string): boolean =>
  word.length <= 5 && !Vocabulary.hasEdges(database, user, word)

/** Finds similar words and abbreviations for the words of a query in this user's own notes. */
export const expandQuery = (database: Database, user: number, text: string): ReadonlyArray<Expansion> => {
  const query = Phrases.phrasesOf(text)
  const queryWords = [...new Map(query.flat().map((token) => [token.word, token])).values()]
  const unknown = queryWords
    .filter(({ word }) => Vocabulary.isSpelled(word) && !isKnown(database, user, word))
    .slice(0, maxUnknown)
    .map(({ word }) => word)
  const short = queryWords.flatMap(({ word, written }) => {
    const form = Abbreviation.shortForm(written)
    return form !== null
      ? [{ word, form }]
      : unknown.includes(word) && looksShort(database, user, word)
        ? [{ word, form: word }]
        : []
  })
  const standing = (word: string, meanings: ReadonlyArray<WordMeaning>): ReadonlyArray<Expansion> =>
    meanings.map((meaning) => ({ ...meaning, standsFor: [word] }))
  return distinct([
    ...short.flatMap(({ form, word }) => standing(word, meaningsOf(database, user, form))),
    ...unknown.flatMap((word) =>
      standing(word, [
        ...nearTo(database, user, word),
        ...longerThan(database, user, word),
        ...compoundsOf(database, user, word)
      ])
    ),
    ...shortFor(database, user, query),
    ...joining(database, user, query)
  ])
}

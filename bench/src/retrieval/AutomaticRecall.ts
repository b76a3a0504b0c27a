/**
 * The share of automatically recalled notes that are right for everyday messages, and the share of messages for which
 * no note is recalled.
 */
import { Recollection } from "@bough/memory"
import * as Effect from "effect/Effect"
import { type Aim, figure, type Row } from "../Benchmark.ts"
import * as Measures from "./Measures.ts"
import * as NaturalSet from "./natural/NaturalSet.ts"
import { type OpenedMemory, scope } from "./OpenMemory.ts"

/** The maximum number of recalled characters per message, the program's default: 500 tokens. */
const recallLength = 2000

export interface JoinedRecall {
  readonly message: NaturalSet.Message
  readonly ids: ReadonlyArray<string>
}

export const join = (opened: OpenedMemory) =>
  Effect.forEach(NaturalSet.messages, (message) =>
    Effect.gen(function* () {
      const notes = yield* opened.memory.findBearing(scope, message.text, new Set())
      const ids = (Recollection.make(notes, recallLength)?.noteIds ?? []).map(String)
      return { message, ids } satisfies JoinedRecall
    })
  )

/** A fraction, such as right notes of all recalled ones. */
interface Part {
  readonly part: number
  readonly of: number
}

const sum = (parts: ReadonlyArray<Part>): Part =>
  parts.reduce((all, one) => ({ part: all.part + one.part, of: all.of + one.of }), { part: 0, of: 0 })

const share = (parts: ReadonlyArray<Part>): number => {
  const { of, part } = sum(parts)
  return of === 0 ? NaN : part / of
}

/** Returns the row of a share. `parts`: one for each message; the interval is calculated from them. */
const shareRow = (label: string, parts: ReadonlyArray<Part>, words: string, isMet: (share: number) => boolean): Row => {
  const { high, low, mean } = Measures.interval(parts, share)
  const { of, part } = sum(parts)
  return {
    label,
    ratio: null,
    figures: [
      figure("share", mean, ""),
      figure("from", low, ""),
      figure("to", high, ""),
      figure("these are", part, ""),
      figure("of", of, "")
    ],
    aim: { words, met: isMet(mean) } satisfies Aim
  }
}

const minPrecision = 0.5
const minCoverage = 0.5
const maxUnneeded = 1 / 3

const isServed = ({ message }: JoinedRecall): boolean => message.served.length > 0
const count = (isSo: boolean): Part => ({ part: isSo ? 1 : 0, of: 1 })

export const rows = (joined: ReadonlyArray<JoinedRecall>, half: NaturalSet.Half): ReadonlyArray<Row> => {
  const ofHalf = joined.filter(({ message }) => message.half === half)
  const precision = ofHalf.map(({ ids, message }) => ({
    part: ids.filter((id) => message.served.includes(id)).length,
    of: ids.length
  }))
  const coverage = ofHalf
    .filter(isServed)
    .map(({ ids, message }) => count(message.served.some((id) => ids.includes(id))))
  const unneeded = ofHalf.filter((one) => !isServed(one)).map(({ ids }) => count(ids.length > 0))
  const secrets = ofHalf.map(({ ids }) => ({
    part: ids.filter((id) => NaturalSet.secrets.includes(id)).length,
    of: ids.length
  }))
  return [
    shareRow(
      `automatic recall, precision: right notes (${half})`,
      precision,
      `at least ${minPrecision}`,
      (found) => found >= minPrecision
    ),
    shareRow(
      `automatic recall, coverage: messages in need served (${half})`,
      coverage,
      `at least ${minCoverage}`,
      (found) => found >= minCoverage
    ),
    shareRow(
      `automatic recall, messages without need that got notes (${half})`,
      unneeded,
      "at most one in three",
      (found) => found <= maxUnneeded
    ),
    shareRow(`automatic recall, notes with a secret (${half})`, secrets, "none", (found) => !(found > 0))
  ]
}

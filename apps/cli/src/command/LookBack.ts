/**
 * Looking back on a conversation while the person says nothing: it begins when they have been silent for a while, and what
 * they say ends it at once. Then the next silence makes up for it.
 */
import type { Note } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { Remembering } from "./OpenSession.ts"

export interface Silence {
  /** Whoever says something sooner has not finished. */
  readonly afterSeconds: number
  /** Told what came of it, if anything did. */
  readonly kept: (lines: ReadonlyArray<string>) => void
}

export const meanwhile = <A, E, R>(
  { indexSaid, isWorthReflecting, lookBack }: Pick<Remembering, "indexSaid" | "isWorthReflecting" | "lookBack">,
  waiting: Effect.Effect<A, E, R>,
  { afterSeconds, kept }: Silence
): Effect.Effect<A, E, R> =>
  Effect.sleep(`${afterSeconds} seconds`).pipe(
    Effect.andThen(indexSaid),
    Effect.andThen(isWorthReflecting),
    Effect.flatMap((isWorth) => (isWorth ? lookBack : Effect.succeed([]))),
    Effect.map((notes) => kept(linesOf(notes))),
    // What is wrong with the journal shows at the next turn.
    Effect.ignore,
    Effect.forkScoped,
    Effect.andThen(waiting),
    Effect.scoped
  )

/** For people: a line for each note. */
export const linesOf = (notes: ReadonlyArray<Note.Note>): ReadonlyArray<string> =>
  notes.map(({ text }) => `remembered: ${text.replaceAll(/\s+/gu, " ")}`)

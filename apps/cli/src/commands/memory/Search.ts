/** `memory search`: finds notes by words and by meaning, and messages with `--conversations`. */
import * as MemoryLibrary from "@bough/host/memory/MemoryLibrary"
import { Note } from "@bough/protocol"
import type { MemoryRead } from "@bough/tool"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { usage } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as NoteFlags from "../../command-line/flags/NoteFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import * as IndexText from "../../format/IndexText.ts"
import type * as Listing from "../../format/Listing.ts"
import * as MessageQuote from "../../format/MessageQuote.ts"
import * as Lists from "../../io/Lists.ts"
import * as IndexAdvice from "../../notes/IndexAdvice.ts"
import * as ModelAdvice from "../../notes/ModelAdvice.ts"
import * as NoteRows from "../../notes/NoteRows.ts"
import { withNotes } from "../../notes/WithNotes.ts"
import type { Program } from "../../Program.ts"

const parameters = {
  query: Shapes.argument("QUERY", "Search query"),
  conversations: Flag.Boolean("conversations").pipe(
    Flag.withDescription("Also search the messages of past conversations"),
    Flag.withDefault(false)
  ),
  ...NoteFlags.filter
}

type RecalledNote = MemoryRead.RecalledNote

/** Returns the row of a note behind its score. */
const toListItem = ({ confidence, note, score }: RecalledNote): Listing.ListItem => {
  const { facts, line, title } = NoteRows.toListed(note)
  const sure = `${confidence} ${score.toFixed(2)}`
  return { line: `${sure}  ${line}`, title, facts: [sure, ...facts] }
}

/** Returns a note with its score for `--format json`. A search in which no note fits returns only hints. */
const asData = ({ confidence, note, score }: RecalledNote) => ({
  ...note,
  score,
  confidence,
  fits: MemoryLibrary.fits(score)
})

/** Number of notes that a search returns by default. */
const defaultLimit = 10

const search = (program: Program, common: Common, options: CommandOptions<typeof parameters>) =>
  withNotes(program, common, ({ place, settings, store }) =>
    Effect.gen(function* () {
      if (options.query.trim() === "")
        return yield* usage("the query is empty", `give words to search for: ${program.name} memory search "…"`)
      yield* NoteRows.checkLimit(options.limit)
      const memory = yield* MemoryLibrary.open(settings, IndexText.bars(program.output.note))
      const limit = options.limit ?? defaultLimit
      const found = yield* memory.search(place, {
        text: options.query,
        limit,
        tags: Note.normaliseTags(options.tags),
        kinds: options.kinds
      })
      const { notes } = found
      if (notes.length === 0) program.output.note("no note matches")
      else if (!found.fits) program.output.note("no note clearly matches; these are the nearest notes")
      if (found.wordsOnly !== null) program.output.note(`notes were compared by words only: ${found.wordsOnly}`)
      yield* ModelAdvice.once(program, settings, store)
      yield* IndexAdvice.once(program, settings, { store, say: program.output.note })
      if (!options.conversations) {
        if (options.format === "json") return program.output.json(notes.map(asData), 2)
        return Lists.print(program, notes.map(toListItem))
      }
      const workspaceRoot = settings.workspace.root
      const who = { user: place.user, without: null }
      const { notIndexed, messages } = yield* memory.conversations.search(who, {
        text: options.query,
        limit,
        workspaceRoot
      })
      if (notIndexed > 0)
        program.output.note(
          `${notIndexed} older entries of conversations are not indexed yet; run "${program.name} memory reindex"`
        )
      if (options.format === "json") return program.output.json({ notes: notes.map(asData), said: messages }, 2)
      if (messages.length === 0) program.output.note("no message of a conversation matches")
      Lists.print(program, [...notes.map(toListItem), ...messages.map(MessageQuote.toListItem)])
    })
  )

export const command = declare({ parameters, run: search })

/** `sessions search`: finds earlier conversations by their words, best match first, one row for each conversation. */
import * as Home from "@bough/host/config/Home"
import * as SecretPatterns from "@bough/memory/SecretPatterns"
import { NoteWords } from "@bough/text"
import { ConversationIndex } from "@bough/tool"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { usage } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import type * as Listing from "../../format/Listing.ts"
import * as MessageQuote from "../../format/MessageQuote.ts"
import * as Lists from "../../io/Lists.ts"
import { withNotes } from "../../notes/WithNotes.ts"
import type { Program } from "../../Program.ts"

const parameters = {
  query: Shapes.argument("QUERY", "Words that were said in the conversation"),
  all: ListFlags.all,
  limit: Flag.Int("limit").pipe(
    Flag.withMetavar("N"),
    Flag.withDescription("Maximum number of sessions; default: 10"),
    Flag.withDefault(10)
  ),
  format: ListFlags.format
}

/** The number of messages that are read per session, since the best messages may be of one session. */
const messagesOfEach = 5

const redact = (text: string): string => SecretPatterns.redact(text).text

/** Reads the whole index: the user waits for it once, and later searches read what is new. */
const catchUp: ConversationIndex.CatchUp = { redact, maxEntries: Infinity }

const search = (program: Program, common: Common, { all, format, limit, query }: CommandOptions<typeof parameters>) =>
  withNotes(program, common, ({ place, settings }) =>
    Effect.gen(function* () {
      const { environment, name, output } = program
      if (NoteWords.queryWords(query).length === 0)
        return yield* usage("the query has no word", `give words to search for: ${name} sessions search "…"`)
      if (limit < 1) return yield* usage("--limit must be at least 1", "")
      const index = yield* ConversationIndex.ConversationIndex
      const { messages } = yield* index.search({
        user: place.user,
        text: query,
        limit: limit * messagesOfEach,
        workspaceRoot: all ? null : settings.workspace.root,
        without: null,
        catchUp
      })
      const best = [...Map.groupBy(messages, ({ sessionId }) => sessionId).values()].flatMap(
        ([first = null]) => first ?? []
      )
      const found = best.slice(0, limit).map((message) => ({ ...message, text: redact(message.text) }))
      if (format === "json") return output.json(found, 2)
      if (found.length === 0)
        output.note(`no conversation matches${all ? "" : "; --all searches those of all workspaces"}`)
      Lists.print(
        program,
        found.map((message) =>
          toListItem(message, query, all ? Home.displayPath(message.workspaceRoot, environment.home) : null)
        )
      )
    })
  )

const toListItem = (
  message: ConversationIndex.ConversationMessage,
  query: string,
  workspace: string | null
): Listing.ListItem => {
  const { sessionId, title, updatedAtMillis } = message
  const when = new Date(updatedAtMillis).toISOString().slice(0, 16).replace("T", " ")
  const folder = workspace === null ? [] : [workspace]
  const quote = MessageQuote.quote(message, query)
  return {
    line: [sessionId, when, ...folder, title, quote].join("  "),
    title,
    facts: [quote, when, ...folder, sessionId]
  }
}

export const command = declare({ parameters, run: search })

/** The flags of several commands of `memory`. */
import { Note } from "@bough/protocol"
import * as Flag from "effect/cli/Flag"
import type { CommandOptions } from "../CommandSpec.ts"
import * as ListFlags from "./ListFlags.ts"
import * as Shapes from "./Shapes.ts"

export const noteId = Shapes.nameArgument("ID", "Note id or its prefix, as listed by `memory list`")

export const folder = Shapes.argument("DIR", "Folder of Markdown files with front matter, one per note")

/** The selection of notes. `limit` null: the best ten of a search, or all notes of a list. */
export const filter = {
  tags: Shapes.repeatedText("tag", "TAG", "Include only notes with this tag; repeatable"),
  kinds: Flag.Literals("kind", Note.Kind.literals).pipe(
    Flag.withDescription(
      "Include only notes of this kind; repeatable; a search includes conversation only if it is named"
    ),
    Flag.atLeast(0)
  ),
  limit: Shapes.optional(
    Flag.Int("limit").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("Maximum number of notes; default: 10 for a search, all for a list")
    )
  ),
  format: ListFlags.format
}

export type FilterOptions = CommandOptions<typeof filter>

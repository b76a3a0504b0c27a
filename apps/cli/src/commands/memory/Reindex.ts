/** `memory reindex`: rebuilds the indexes of notes and of conversations. */
import * as MemoryLibrary from "@bough/host/memory/MemoryLibrary"
import type { NoteIndex } from "@bough/memory"
import * as Effect from "effect/Effect"
import { failure } from "../../CliFailure.ts"
import { command as declare } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as IndexText from "../../format/IndexText.ts"
import { withNotes } from "../../notes/WithNotes.ts"
import type { Program } from "../../Program.ts"

const hintOf = ({ _tag }: NoteIndex.IndexFailed, program: string): string =>
  _tag === "EmbeddingFailed"
    ? `check embedding.model: run "${program} doctor"`
    : "make the data directory writable, or free some disk space"

const reindex = (program: Program, common: Common) =>
  withNotes(program, common, ({ settings }) =>
    Effect.gen(function* () {
      const memory = yield* MemoryLibrary.open(settings, IndexText.bars(program.output.note))
      yield* memory.index
        .settle(true)
        .pipe(Effect.mapError((error) => failure(error.message, hintOf(error, program.name), error)))
      yield* memory.conversations.index("rebuild")
      program.output.note(
        settings.memory.embeddingModel === "none"
          ? "indexes rebuilt; without an embedding model, notes are found by words only"
          : "indexes rebuilt"
      )
    })
  )

export const command = declare({ parameters: {}, run: reindex })

/** Arguments that several note tools take, and what a note looks like to the model. */
import { Note } from "@bough/protocol"
import { ToolSchema } from "@bough/tool"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"

export const NoteIdArgument = Schema.NonEmptyString.annotate({ description: "As search_memory gives it" })

export const Content = Schema.NonEmptyString.check(Schema.isMaxLength(Note.maxTextLength)).annotate({
  description: "One thing that is worth knowing in another session, in a sentence or two"
})

export const Tags = Schema.Array(Schema.NonEmptyString)

export const Secrets = ToolSchema.withDefault(
  Schema.Literals(["refuse", "redact", "keep"]).annotate({
    description: "What to do with what looks like a key or password; keep asks the user"
  }),
  "refuse"
)

/** ISO 8601, in UTC. */
export const instant = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

/** Storing a secret is the user's to decide. */
export const classifySecrets = ({ secrets }: { readonly secrets: "refuse" | "redact" | "keep" }) =>
  secrets === "keep"
    ? ({ tier: "Elevated", reason: "keeps what looks like a secret in memory" } as const)
    : ({ tier: "Workspace" } as const)

export const hiddenNote = (hidden: ReadonlyArray<string>): string =>
  hidden.length === 0 ? "" : `; hidden: ${hidden.join(", ")}`

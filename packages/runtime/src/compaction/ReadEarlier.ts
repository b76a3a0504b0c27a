/**
 * The tool `read_earlier`: returns entries of this session word for word after a summary has replaced them in the
 * prompt.
 */
import { type Entry, ToolError } from "@bough/protocol"
import { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Journal } from "../journal/Journal.ts"
import { describe } from "../journal/Prompt.ts"
import { readEarlierName } from "../journal/SessionState.ts"
import type { SessionStore } from "../ports/SessionStore.ts"

const maxEntries = 50

const parameters = Schema.Struct({
  from: Schema.Natural.annotate({ description: "Number of the first entry" }),
  count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxEntries })).annotate({
    description: `How many entries, at most ${maxEntries}`
  })
})

const output = Schema.Struct({
  /** The entries that have text; the missing numbers belong to other entries. */
  entries: Schema.Array(Schema.Struct({ entry: Schema.Natural, from: Schema.String, text: Schema.String })),
  /** The number to continue from; null: there are no later entries. */
  next: Schema.NullOr(Schema.Natural)
})

/** Makes the tool over the session's own entries. */
export const make = ({ sessionId, state }: Journal["Service"], store: SessionStore["Service"]): Tool.Any =>
  Tool.make(readEarlierName, {
    version: 1,
    description: "Read earlier entries of this conversation word for word, by number",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters,
    output,
    forModel: ({ entries, next }) =>
      [
        ...entries.map(({ entry, from, text }) => `[${entry}] ${from}:\n${text}`),
        next === null ? "[there is nothing later]" : `[continue with from=${next}]`
      ].join("\n"),
    execute: ({ count, from }) =>
      store.entries(sessionId, from, count).pipe(
        Effect.mapError(({ message }) => new ToolError.ExecutionError({ message })),
        Effect.map((read) => {
          const next = from + read.length
          return Tool.result({
            output: { entries: read.flatMap(toItems), next: next < state.nextSeq && read.length > 0 ? next : null },
            display: read.length === 0 ? `No entry ${from}` : `Read entries ${from} to ${next - 1}`
          })
        })
      )
  })

const toItems = ({ body, seq }: Entry.Entry): ReadonlyArray<(typeof output.Type)["entries"][number]> => {
  const item = (from: string, text: string) => [{ entry: seq, from, text }]
  switch (body._tag) {
    case "UserMessage":
      return item("person", body.text)
    case "ContextAdded":
      return item(`instructions ${body.source}`, body.text)
    case "ModelReplied":
      return body.parts.length === 0 ? [] : item("agent", body.parts.map(partText).join("\n"))
    case "CallEnded":
      return item(`result of ${body.tool}`, describe(body.outcome))
    case "ChildEnded":
      return item(`session ${body.childId}`, body.result.output ?? body.result.summary)
    case "CommandEnded":
      return item(`command ${body.commandId}`, body.reason)
    case "Compacted":
      return item(`summary of ${body.fromSeq} to ${body.throughSeq}`, body.summary)
    case "StateChanged":
      return item("state", `${body.state}: ${body.reason}`)
    case "SessionOpened":
    case "StepStarted":
    case "ApprovalAsked":
    case "ApprovalDecided":
    case "RuleGiven":
    case "RuleRevoked":
    case "CallStarted":
    case "CallDeferred":
    case "ChildSpawned":
    case "SamplingStarted":
    case "SamplingEnded":
    case "SessionEnded":
      return []
  }
}

const partText = (part: Entry.BodyOf<"ModelReplied">["parts"][number]): string =>
  part._tag === "ToolCall" ? `[call ${part.name}] ${part.arguments}` : part.text

/** Formats a session's entries for users: numbered, with messages in full and calls in one line. Pure. */
import { Entry } from "@bough/protocol"
import * as Escape from "@bough/tui/text/Escape"
import { blanks, lines, type SafeText, text } from "@bough/tui/text/SafeText"
import * as DecisionText from "./DecisionText.ts"
import * as SamplingText from "./SamplingText.ts"
import * as TaskText from "./TaskText.ts"

/** Formats the rows of one entry; the number is its `seq`. */
export const rows = ({ body, seq }: Pick<Entry.Entry, "body" | "seq">): ReadonlyArray<SafeText> => {
  const margin = text`${blanks(5 - `${seq}`.length)}${seq}`
  return lines(Escape.text(textOf(body))).map((row, at) => text`${at === 0 ? margin : blanks(margin.length)}  ${row}`)
}

const textOf = (body: Entry.Body): string => {
  switch (body._tag) {
    case "SessionOpened":
      return `opened: ${body.kind} in ${body.workspaceRoot}`
    case "UserMessage":
      return `you: ${body.text}`
    case "ContextAdded":
      return `context: ${body.source} (${body.text.length} characters)`
    case "StepStarted":
      return `step ${body.turn}.${body.step} with ${body.model}`
    case "ModelReplied":
      return `agent${endText(body)}: ${replyText(body)}`
    case "ApprovalAsked":
      return `approval requested: ${body.request.tool} ${body.request.arguments} (${body.request.tier}: ${body.request.reason})`
    case "ApprovalDecided":
      return `decided by ${body.principal}: ${DecisionText.formatDecision(body.decision)}`
    case "CallStarted":
      return `started: ${body.tool}, ${body.tier}, attempt ${body.attempt}`
    case "CallDeferred":
      return `deferred until approved: ${body.toolCallId}`
    case "CallEnded":
      return `ended: ${body.tool}: ${outcomeText(body.outcome)}`
    case "ChildSpawned":
      return `started ${body.kind.toLowerCase()} ${body.childId}: ${body.title}`
    case "ChildEnded":
      return `${body.purpose === undefined ? "" : `${body.purpose} `}${body.childId} ended: ${resultText(body.result)}`
    case "RuleGiven":
      return `rule added by ${body.principal}: ${body.rule}`
    case "RuleRevoked":
      return `rule revoked by ${body.principal}: ${body.rule}`
    case "CommandEnded":
      return `background command ${TaskText.commandEndText(body)}`
    case "Compacted":
      return `entries ${body.fromSeq} to ${body.throughSeq} summarised: ${body.summary}`
    case "SamplingStarted":
      return `${SamplingText.headline(body)}\n${SamplingText.request(body)}`
    case "SamplingEnded":
      return `${SamplingText.samplingEndText(body)}${body.text === "" ? "" : `\n${body.text}`}`
    case "StateChanged":
      return `${body.state.toLowerCase()}${body.reason === "" ? "" : `: ${body.reason}`}`
    case "SessionEnded":
      return resultText(body.result)
  }
}

const resultText = ({ output, reason, status, summary }: Entry.BodyOf<"SessionEnded">["result"]): string =>
  `${status.toLowerCase()}${reason === "" ? "" : ` (${reason})`}: ${output ?? summary}`

const endText = ({ completion, failure }: Entry.BodyOf<"ModelReplied">): string =>
  failure !== undefined ? ` (failed: ${failure.message})` : completion === "interrupted" ? " (interrupted)" : ""

const replyText = ({ parts }: Entry.BodyOf<"ModelReplied">): string =>
  parts
    .flatMap((part) => {
      if (part._tag === "Text") return [part.text]
      return part._tag === "ToolCall" ? [`→ ${part.name} ${part.arguments}`] : []
    })
    .join("\n")

const outcomeText = (outcome: Entry.Outcome): string => {
  if (outcome._tag === "Succeeded") return outcome.display
  const reason = Entry.failureText(outcome)
  if (outcome._tag === "Unknown") return reason
  return `${outcome._tag === "NotRun" ? "not run" : outcome.error._tag}: ${reason}`
}

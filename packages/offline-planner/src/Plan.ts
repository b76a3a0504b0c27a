/** The next action for a request: more tool calls, or the answer. A pure function of the prompt. */
import type { Model } from "@bough/runtime"
import * as Conversation from "./Conversation.ts"
import * as Help from "./Help.ts"
import { type Request, type ToolCall, toolCall } from "./Request.ts"
import * as Sentence from "./Sentence.ts"
import * as Wording from "./Wording.ts"

export type Next =
  | { readonly _tag: "Call"; readonly callId: string; readonly call: ToolCall }
  | { readonly _tag: "Answer"; readonly text: string }

const useTools = "use_tools"

export const next = (prompt: Model.Prompt): Next => {
  const conversation = Conversation.read(prompt.messages)
  const parsed = Sentence.parse(conversation.request)
  if (parsed._tag === "NotUnderstood") {
    return answer(conversation, [Help.refusalText(parsed.part)], Help.connecting)
  }
  const said: Array<string> = []
  const several = parsed.requests.length > 1
  let calls = conversation.madeCalls
  for (const [index, request] of parsed.requests.entries()) {
    const call = toolCall(request)
    if (call === null) {
      said.push(Help.help)
      continue
    }
    const at = calls.findIndex((done) => done.name === call.name && done.arguments === JSON.stringify(call.arguments))
    if (at < 0)
      return ask(conversation, { said, request, needed: neededFrom(parsed.requests, index), tools: prompt.tools })
    const { result } = calls[at]
    calls = calls.slice(at + 1)
    if (result === null || result.state === "pending") {
      return answer(conversation, [...said, Wording.waitingText(request)])
    }
    const outcome = Wording.outcomeText(request, result, several)
    said.push(outcome.text)
    if (outcome.failed) {
      const remaining = parsed.requests.slice(index + 1)
      return answer(conversation, remaining.length === 0 ? said : [...said, Wording.notDone(remaining)])
    }
  }
  return answer(conversation, said)
}

interface MissingTool {
  readonly said: ReadonlyArray<string>
  readonly request: Request
  /** The tools that this request and the later ones need. */
  readonly needed: ReadonlyArray<string>
  readonly tools: ReadonlyArray<Model.ToolDeclaration>
}

/** Calls the request's tool, or first requests its declaration. */
const ask = (conversation: Conversation.Conversation, { needed, request, said, tools }: MissingTool): Next => {
  const callId = `plan_${conversation.callCount + 1}`
  const declared = new Set(tools.map(({ name }) => name))
  const call = toolCall(request)!
  if (declared.has(call.name)) return { _tag: "Call", callId, call }
  const names = needed.filter((name) => !declared.has(name))
  // The tool refuses all names if one is unknown, so this name is requested alone.
  const tried = new Set(conversation.madeCalls.filter((made) => made.name === useTools).map((made) => made.arguments))
  const untried = [{ names }, { names: [call.name] }].find((attempt) => !tried.has(JSON.stringify(attempt)))
  if (declared.has(useTools) && untried !== undefined) {
    return { _tag: "Call", callId, call: { name: useTools, arguments: untried } }
  }
  return answer(conversation, [...said, Wording.noTool(request, call.name)])
}

const neededFrom = (requests: ReadonlyArray<Request>, index: number): ReadonlyArray<string> => [
  ...new Set(requests.slice(index).flatMap((request) => toolCall(request)?.name ?? []))
]

/** Formats the answer. The first answer of a conversation introduces the planner. */
const answer = (
  { answers }: Conversation.Conversation,
  said: ReadonlyArray<string>,
  closing: string | null = null
): Next => {
  const introduced = answers.some((text) => text.includes(Help.introduction))
  const last = introduced ? closing : Help.introduction
  return { _tag: "Answer", text: (last === null ? said : [...said, last]).join("\n\n") }
}

/**
 * An upper bound of a prompt's tokens, known before the prompt is sent: the provider's count of the last prompt, plus
 * one token for every byte added since. No tokenizer produces more tokens than bytes. The bound includes the framing
 * that providers add.
 */
import type * as Prompt from "../journal/Prompt.ts"
import type { Model, PromptMessage, ToolDeclaration } from "../ports/Model.ts"
import type * as Budget from "./Budget.ts"
import type { SessionBudget } from "./SessionBudget.ts"

/** Tokens for the roles and separators of one message, or of the system prompt. */
const framingTokens = 16

/**
 * Tokens of the text that providers add about tools: Anthropic documents 346 at most for models of today, 530 for
 * older ones.
 */
const toolsTokens = 640

/**
 * Tokens of one image: more than the largest costs by the rules of Anthropic (4,784), Google (1,120) and OpenAI
 * (3,750).
 */
const imageTokens = 5000

/** The parts of a session that the bound depends on. */
export interface Session {
  readonly system: string
  readonly declarations: () => ReadonlyArray<ToolDeclaration>
  readonly budget: Pick<SessionBudget, "limit">
  /**
   * `fixedTokens`: the bound of the system prompt and the declarations in the prompt that the provider counted last;
   * null: none in this process.
   */
  readonly counted: { readonly fixedTokens: number | null }
  readonly journal: { readonly prompt: Pick<Prompt.PromptState, "messages" | "reported"> }
  readonly model: Pick<Model["Service"], "name" | "inputPerMillionUsd" | "outputPerMillionUsd">
}

/** True if a limit needs the bound. */
export const isNeeded = ({ budget: { limit }, model }: Pick<Session, "budget" | "model">): boolean =>
  limit.inputTokens !== null || (limit.costUsd !== null && model.inputPerMillionUsd !== undefined)

/** Returns the demand of the session's next step. */
export const demandOf = (session: Session): Budget.StepDemand => demandFor(session, () => forSession(session))

/** Returns the demand of a step with another prompt. */
export const demandFor = (
  session: Pick<Session, "budget" | "model">,
  promptTokens: () => number
): Budget.StepDemand => ({
  promptTokens: isNeeded(session) ? promptTokens() : 0,
  inputPerMillionUsd: session.model.inputPerMillionUsd,
  outputPerMillionUsd: session.model.outputPerMillionUsd
})

/** Returns an upper bound of the prompt in the journal now. */
const forSession = (session: Session): number => {
  const { messages, reported } = session.journal.prompt
  const fixed = fixedTokens(session)
  if (reported === null || reported.model !== session.model.name) return fixed + sum(messages, 0)
  // The declarations of an earlier process are not known.
  const declaredSince = Math.max(0, fixed - (session.counted.fixedTokens ?? 0))
  return reported.tokens + declaredSince + sum(messages, reported.messages)
}

/** Returns the bound of the system prompt and the declarations. */
export const fixedTokens = ({ declarations, system }: Pick<Session, "declarations" | "system">): number =>
  forText(system) + forDeclarations(declarations())

const measured = new WeakMap<ReadonlyArray<ToolDeclaration>, number>()

const forDeclarations = (declarations: ReadonlyArray<ToolDeclaration>): number => {
  if (declarations.length === 0) return 0
  const known = measured.get(declarations)
  if (known !== undefined) return known
  const tokens = toolsTokens + Buffer.byteLength(JSON.stringify(declarations))
  measured.set(declarations, tokens)
  return tokens
}

/** Bounds a message, or a system prompt, with this text. */
export const forText = (text: string): number => framingTokens + Buffer.byteLength(text)

const sum = (messages: ReadonlyArray<PromptMessage>, from: number): number => {
  let tokens = 0
  for (let index = from; index < messages.length; index++) tokens += forMessage(messages[index])
  return tokens
}

const forMessage = (message: PromptMessage): number => {
  if (message._tag === "User") return forText(message.text) + message.media.length * imageTokens
  if (message._tag === "ToolResult") {
    const { media, name, output, providerCallId } = message
    return forText(output) + Buffer.byteLength(name + providerCallId) + media.length * imageTokens
  }
  return message.parts.reduce((tokens, part) => {
    const text = part._tag === "ToolCall" ? part.name + part.providerCallId + part.arguments : part.text
    const signature = part._tag === "Text" ? "" : (part.signature ?? "")
    return tokens + forText(text) + Buffer.byteLength(signature)
  }, framingTokens)
}

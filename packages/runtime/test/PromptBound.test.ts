/** A prompt's bound is known before it is sent, and no provider counts more. */
import { Budget, type Entry, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { sampled } from "../../../test/thorough.ts"
import * as PromptTokenBound from "../src/budget/PromptTokenBound.ts"
import * as Prompt from "../src/journal/Prompt.ts"
import type { PromptMessage, ToolDeclaration } from "../src/ports/Model.ts"

/** The events of a session: `during` comes while a reply is awaited, `open` is another process, with other tools. */
const Move = Schema.Struct({
  kind: Schema.Literals([
    "say",
    "say",
    "step",
    "step",
    "step",
    "cut",
    "during",
    "declare",
    "compact",
    "model",
    "open",
    "image"
  ]),
  text: Schema.String,
  /** The size of a reply's calls. */
  calls: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))
})
type Move = typeof Move.Type

const bytes = (text: string): number => Buffer.byteLength(text)

/** Bytes, of which a token may have as few as one: no tokenizer is worse. An image counts a thousand. */
const most = (message: PromptMessage): number => {
  if (message._tag === "User") return bytes(message.text) + message.media.length * 1000
  if (message._tag === "ToolResult") return bytes(message.output)
  return message.parts.reduce(
    (sum, part) => sum + bytes(part._tag === "ToolCall" ? part.name + part.arguments : part.text),
    0
  )
}

/** A session as the bound sees it, and how its provider counts. */
const begin = () => {
  const prompt = Prompt.empty()
  let seq = 0
  let name = "test/one"
  let counted: PromptTokenBound.Session["counted"] = { fixedTokens: null }
  let declared: ReadonlyArray<ToolDeclaration> = []
  const system = "You are a test."
  const take = (body: Entry.Body) => Prompt.append(prompt, { body, seq: seq++ })
  return {
    take,
    prompt,
    /** The provider counts the prompt. */
    count: (fixedTokens: number) => {
      counted = { fixedTokens }
    },
    session: (): PromptTokenBound.Session => ({
      counted,
      declarations: () => declared,
      journal: { prompt },
      budget: { limit: { ...Budget.unlimited, inputTokens: 1_000_000 } },
      model: { name, inputPerMillionUsd: 1 },
      system
    }),
    /** The first of two models has tokens of four bytes. */
    tokens: (size: number) => Math.ceil(size / (name === "test/one" ? 4 : 1)),
    size: () =>
      bytes(system + JSON.stringify(declared)) + prompt.messages.reduce((sum, message) => sum + most(message), 0),
    declare: (description: string) => {
      declared = [...declared, { name: `tool_${declared.length}`, description, parameters: {} }]
    },
    changeModel: () => {
      name = name === "test/one" ? "test/two" : "test/one"
    },
    reopen: (description: string) => {
      counted = { fixedTokens: null }
      declared = [{ name: "another", description, parameters: {} }]
    },
    newest: () => seq - 1
  }
}
type World = ReturnType<typeof begin>

const userMessage = (text: string, media: number): Entry.Body => ({
  _tag: "UserMessage",
  text,
  media: Array.from({ length: media }, () => ({ mediaType: "image/png", data: "AAAA" })),
  principal: "ada",
  messageId: text
})

/** One step: the bound, the provider's count, and its reply. */
const step = (world: World, { calls, kind, text }: Move) => {
  const { take } = world
  const session = world.session()
  const bound = PromptTokenBound.demandOf(session).promptTokens
  take({ _tag: "StepStarted", turn: 1, step: 1, model: session.model.name, reservedTokens: bound })
  const inputTokens = world.tokens(world.size())
  assert.isAtLeast(bound, inputTokens)
  const made = Array.from({ length: calls }, (_, index) => ({
    _tag: "ToolCall" as const,
    toolCallId: Session.ToolCallId.make(`c${world.newest()}.${index}`),
    providerCallId: "p",
    name: "look",
    arguments: text
  }))
  const parts = [{ _tag: "Text" as const, text }, ...made]
  if (kind === "during") take({ _tag: "ContextAdded", source: "news", text, digest: text })
  const outputTokens = world.tokens(
    bytes(text) + made.reduce((sum, call) => sum + bytes(call.name + call.arguments), 0)
  )
  const completion = kind === "cut" ? "interrupted" : "complete"
  const usage = { inputTokens, cachedInputTokens: 0, outputTokens, costUsd: null }
  if (completion === "complete") world.count(PromptTokenBound.fixedTokens(session))
  take({ _tag: "ModelReplied", turn: 1, step: 1, completion, parts, usage })
  if (completion === "interrupted") return
  for (const { toolCallId } of made) {
    const outcome = { _tag: "NotRun", reason: text } as const
    take({ _tag: "CallEnded", toolCallId, tool: "look", outcome, receipt: null })
  }
}

const move = (world: World, next: Move): void => {
  switch (next.kind) {
    case "say":
      return world.take(userMessage(next.text, 0))
    case "image":
      return world.take(userMessage(next.text, next.calls))
    case "declare":
      return world.declare(next.text)
    case "model":
      return world.changeModel()
    case "open":
      return world.reopen(next.text)
    case "compact":
      return world.take({ _tag: "Compacted", fromSeq: 0, throughSeq: world.newest(), summary: next.text })
    default:
      return step(world, next)
  }
}

describe("PromptTokenBound", () => {
  it.prop(
    "is never less than the provider's count, for any events between two steps",
    [Schema.Array(Move).check(Schema.isMaxLength(20))],
    ([moves]) => {
      const world = begin()
      for (const next of moves) move(world, { ...next, text: next.text + "漢字".repeat(20 * next.calls) })
    },
    sampled({ arbitrary: { runs: 3000 } })
  )

  it("is the last count and little more, if little was added", () => {
    const world = begin()
    world.changeModel()
    world.declare("look ".repeat(1000))
    world.take(userMessage("x".repeat(10_000), 0))
    step(world, { kind: "step", text: "so it is", calls: 0 })
    world.take(userMessage("and?", 0))
    const bound = PromptTokenBound.demandOf(world.session()).promptTokens
    assert.isBelow(bound - world.size(), 50)
  })
})

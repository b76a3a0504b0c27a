/**
 * The AI SDK's `Chat`, which `useChat` of `@ai-sdk/react` holds, with its default transport, talks to a hosted agent.
 */
import { Chat } from "@ai-sdk/react"
import { assert, describe, it } from "@effect/vitest"
import {
  DefaultChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage
} from "ai"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as Served from "./served.ts"

const transportOf = ({ gateway, token }: Pick<Served.ServedGateway, "gateway" | "token">) =>
  new DefaultChatTransport<UIMessage>({ api: `${gateway.url}/api/chat`, headers: { authorization: `Bearer ${token}` } })

const chatOf = (served: Pick<Served.ServedGateway, "gateway" | "token">, options: { readonly id?: string } = {}) => {
  const errors: Array<Error> = []
  const chat = new Chat<UIMessage>({
    ...options,
    transport: transportOf(served),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onError: (error) => void errors.push(error)
  })
  return { chat, errors }
}

const textOf = ({ parts }: UIMessage): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")

const toolOf = ({ parts }: UIMessage, name: string) =>
  parts.find((part) => isToolUIPart(part) && part.type === "dynamic-tool" && part.toolName === name)

/** Waits until the chat is idle after that many requests. */
const idle = async (chat: Chat<UIMessage>): Promise<void> => {
  while (chat.status === "submitted" || chat.status === "streaming") await tick()
}

const tick = () => new Promise<void>((resolve) => void setImmediate(resolve))

const promise = Effect.promise

describe("ai", () => {
  it.live(
    "holds a conversation with calls",
    () =>
      Served.serve(
        [
          { text: "Looking.", calls: [{ name: "list_files", arguments: {} }] },
          { text: "Nothing here." },
          { text: "Sure." }
        ],
        (served) =>
          promise(async () => {
            const { chat, errors } = chatOf(served)
            await chat.sendMessage({ text: "what is there?" })
            assert.deepStrictEqual(errors, [])
            const [, answer] = chat.messages
            assert.strictEqual(textOf(answer), "Looking.\nNothing here.")
            assert.deepInclude(toolOf(answer, "list_files"), {
              state: "output-available",
              input: {},
              providerExecuted: true
            })
            await chat.sendMessage({ text: "sure?" })
            assert.deepStrictEqual(chat.messages.map(textOf), [
              "what is there?",
              "Looking.\nNothing here.",
              "sure?",
              "Sure."
            ])
            const { json } = await Effect.runPromise(
              served.gateway.request("/api/v1/sessions", { token: served.token })
            )
            assert.lengthOf(json.items, 1)
          })
      ),
    thoroughOnly
  )

  for (const approved of [true, false]) {
    it.live(`continues with a call that was ${approved ? "approved" : "denied"}, in the same message`, () =>
      Served.serve(Served.approvalScript, (served) =>
        promise(async () => {
          const { chat, errors } = chatOf(served)
          await chat.sendMessage({ text: "write it" })
          const toolPart = toolOf(chat.messages[1], "write_file")
          if (toolPart === undefined || !isToolUIPart(toolPart) || toolPart.state !== "approval-requested")
            throw new Error("nothing is asked")
          assert.include(JSON.stringify(toolPart.approval), "AGENTS.md")
          const before = served.asked()
          await chat.addToolApprovalResponse({
            id: toolPart.approval.id,
            approved,
            ...(approved ? {} : { reason: "not now" })
          })
          while (served.asked() === before || chat.status !== "ready") await tick()
          assert.deepStrictEqual(errors, [])
          assert.lengthOf(chat.messages, 2)
          const answer = chat.messages[1]
          assert.strictEqual(textOf(answer), "I will write it.\nIt waits for you.\nIt is written.")
          assert.deepInclude(toolOf(answer, "write_file"), { state: approved ? "output-available" : "output-denied" })
          assert.lengthOf(
            answer.parts.filter((part) => isToolUIPart(part)),
            1
          )
          // No request is repeated for a decided approval.
          await chat.sendMessage({ text: "and now?" })
          assert.strictEqual(textOf(chat.messages[3]), "What else?")
        })
      )
    )
  }

  it.live("asks about the call of a child, and reports its result", () =>
    Served.serve(Served.branchApprovalScript, (served) =>
      promise(async () => {
        const { chat, errors } = chatOf(served)
        await chat.sendMessage({ text: "Start a branch" })
        const toolPart = toolOf(chat.messages[1], "write_file")
        if (toolPart === undefined || !isToolUIPart(toolPart) || toolPart.state !== "approval-requested")
          throw new Error("nothing is asked")
        await chat.addToolApprovalResponse({ id: toolPart.approval.id, approved: true })
        while (!textOf(chat.messages[1]).includes("All is done.") || chat.status !== "ready") await tick()
        assert.deepStrictEqual(errors, [])
        assert.deepInclude(toolOf(chat.messages[1], "write_file"), { state: "output-available" })
        const sessions = chat.messages[1].parts.flatMap((part) => (part.type === "data-session" ? [part.data] : []))
        assert.deepStrictEqual(sessions, [
          { kind: "Branch", title: "Write it", state: "Completed", summary: "The branch is done." }
        ])
      })
    )
  )

  it.live(
    "reports that a decision needs the scope approve",
    () =>
      Served.serve(Served.approvalScript, (served) =>
        promise(async () => {
          const token = await Effect.runPromise(served.tokenOf("acme/ada", ["read", "chat"]))
          const { chat, errors } = chatOf({ ...served, token })
          await chat.sendMessage({ text: "write it" })
          const toolPart = toolOf(chat.messages[1], "write_file")
          if (toolPart === undefined || !isToolUIPart(toolPart) || toolPart.state !== "approval-requested")
            throw new Error("nothing is asked")
          await chat.addToolApprovalResponse({ id: toolPart.approval.id, approved: true })
          while (errors.length === 0) await tick()
          assert.include(errors[0].message, "scope approve")
          assert.strictEqual(served.asked(), 2)
        })
      ),
    thoroughOnly
  )

  it.live("continues an answer whose stream was cut, and starts none if no turn runs", () => {
    let release = (): void => {}
    const after = new Promise<void>((resolve) => (release = resolve))
    return Served.serve([{ text: "One moment", after }], (served) =>
      promise(async () => {
        const { chat, errors } = chatOf(served, { id: "chat-1" })
        const sending = chat.sendMessage({ text: "hi" })
        while (chat.messages[1] === undefined || textOf(chat.messages[1]) === "") await tick()
        await chat.stop()
        await sending
        const resuming = chat.resumeStream()
        release()
        await resuming
        await idle(chat)
        assert.deepStrictEqual(errors, [])
        assert.deepStrictEqual(chat.messages.map(textOf), ["hi", "One moment"])
        // Once more, after its end: the same answer, once.
        await chat.resumeStream()
        await idle(chat)
        assert.deepStrictEqual(chat.messages.map(textOf), ["hi", "One moment"])
        const other = chatOf(
          { ...served, token: await Effect.runPromise(served.tokenOf("acme/eve")) },
          { id: "chat-1" }
        ).chat
        await other.resumeStream()
        assert.deepStrictEqual(other.messages, [])
      })
    )
  })

  it.live("reports unsupported requests", () =>
    Served.serve([{ text: "Hello" }], (served) =>
      promise(async () => {
        const { chat, errors } = chatOf(served)
        await chat.sendMessage({ text: "hi" })
        await chat.regenerate()
        assert.include(errors[0].message, "append-only")
        const stranger = chatOf({ ...served, token: "none" })
        await stranger.chat.sendMessage({ text: "hi" })
        assert.include(stranger.errors[0].message, "unauthenticated")
        assert.strictEqual(served.asked(), 1)
      })
    )
  )

  it.live("reports a failed turn as the error of the chat", () =>
    Served.serve([{ status: 400, message: "no such model" }], (served) =>
      promise(async () => {
        const { chat, errors } = chatOf(served)
        await chat.sendMessage({ text: "hi" })
        assert.strictEqual(chat.status, "error")
        assert.lengthOf(errors, 1)
      })
    )
  )
})

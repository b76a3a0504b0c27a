/**
 * A host over the store of a directory; its tool's effects are lines of a file. Used by tests and by the program beside
 * it.
 */
import { Channel, Host, Model, SessionStore } from "@bough/runtime"
import { SampleAgent } from "@bough/runtime/testing"
import { type SessionKind, Tool, ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { appendFileSync } from "node:fs"

export const facts = { name: "tester", user: "ada", workspaceRoot: "/nowhere" }

const launching = (effects: string) =>
  Tool.make("launch", {
    version: 1,
    description: "Needs a person; twice is twice",
    tier: "Elevated",
    replay: "Unsafe",
    capabilities: [],
    parameters: Schema.Struct({ target: Schema.String }),
    output: Schema.Struct({ target: Schema.String }),
    execute: ({ target }) =>
      Effect.sync(() => {
        appendFileSync(effects, `${target}\n`)
        return Tool.result({ output: { target }, display: `Launched ${target}` })
      })
  })

/** Calls `launch` if the user's last message asks for it, and otherwise returns the number of messages. */
export const model: Model.Model["Service"] = {
  name: "rule/model",
  contextTokens: null,
  priced: false,
  stream: ({ messages }) => {
    const userMessages = messages.flatMap((message) => (message._tag === "User" ? [message.text] : []))
    const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null }
    const [, target] = /^launch (\w+)$/u.exec(userMessages.at(-1) ?? "") ?? []
    const hasCalled = messages.at(-1)?._tag !== "User"
    const callId = `call_${messages.length}`
    const reply: ReadonlyArray<Model.ModelPart> =
      target === undefined || hasCalled
        ? [
            { _tag: "Text", text: `heard ${userMessages.length}` },
            { _tag: "End", reason: "stop", ...usage }
          ]
        : [
            { _tag: "ToolCallStart", callId, name: "launch" },
            { _tag: "ToolCallArguments", callId, text: JSON.stringify({ target }) },
            { _tag: "End", reason: "toolCalls", ...usage }
          ]
    return Stream.fromIterable(reply).pipe(Stream.tap(() => Effect.yieldNow))
  }
}

/** A host in the caller's scope. */
export const make = (effects: string, options: Partial<Host.HostOptions> = {}) => {
  const tools: SessionKind.KindTools = { kind: "Main", pack: ToolPack.make(launching(effects)) }
  return Host.make({
    serve: ({ user, workspaceRoot }) =>
      Effect.succeed({ agent: SampleAgent.make(tools, { user, workspace: { root: workspaceRoot } }) }),
    channel: { name: "web" },
    lookMillis: 100,
    ...options
  }).pipe(Effect.provideService(Model.Model, model))
}

export type Channels = Channel.Channel
export type Stores = SessionStore.SessionStore

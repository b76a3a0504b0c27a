/**
 * Passes messages of tools to a function of the program. A message counts as read by the user when the function has
 * received it.
 */
import { ToolError } from "@bough/protocol"
import { Capability, ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { Send } from "./Options.ts"

const name = "program"

export const provide = (context: ToolContext.ToolContext, send: Send): ToolContext.ToolContext =>
  ToolContext.provide(context, Capability.Channel, {
    make: ({ callKey }) => ({
      send: (text) =>
        Effect.tryPromise({
          try: () => Promise.resolve(send(text)),
          catch: (error) => new ToolError.ExecutionError({ message: `channel failed: ${String(error)}` })
        }).pipe(Effect.as({ messageId: callKey, channel: name }))
    }),
    reach: "Confined",
    preconditions: [],
    ownerOnly: true
  })

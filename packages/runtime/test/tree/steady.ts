/** A model that answers by the content of its prompt, so that a request repeated after a crash gets the same answer. */
import * as Stream from "effect/Stream"
import type { Model } from "../../src/index.ts"
import type { Reply } from "../../src/testing/Reply.ts"

/** The replies by task, in order; the last one is given again and again. */
export type Cast = Readonly<Record<string, ReadonlyArray<Reply>>>

export const make = (cast: Cast): Model.Model["Service"] => ({
  name: "test/steady",
  contextTokens: null,
  priced: false,
  stream: ({ messages }) => {
    const role = messages
      .flatMap((message) => (message._tag === "User" && message.text in cast ? [message.text] : []))
      .at(-1)
    if (role === undefined) return Stream.die(new Error("no role of the cast was told in this prompt"))
    const replies = cast[role]
    const replyCount = messages.filter((message) => message._tag === "Assistant").length
    const reply = replies[Math.min(replyCount, replies.length - 1)]
    return Stream.fromIterable(
      reply.flatMap((piece): ReadonlyArray<Model.ModelPart> => {
        if (piece._tag === "Pause" || piece._tag === "Hang" || piece._tag === "Fail") return []
        // A provider creates the ids of its calls, and never two alike.
        return "callId" in piece ? [{ ...piece, callId: `${role} ${replyCount} ${piece.callId}` }] : [piece]
      })
    )
  }
})

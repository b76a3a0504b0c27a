/** Attachments of a session's messages, over a real journal of a scripted conversation. */
import { Session as SessionData } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import { SessionStore } from "../../src/index.ts"
import * as Attachments from "../../src/session/Attachments.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as Grove from "../tree/grove.ts"

const media = (text: string) => ({ mediaType: "image/png", data: Buffer.from(text).toString("base64") })

describe("Attachments", () => {
  it.effect("are those of all messages of the session, the older ones first", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* Grove.open({
          cast: { look: [Reply.text("seen"), Reply.text("seen again")] }
        })
        yield* session.run({ text: "look", media: [media("one"), media("two")] })
        yield* session.run({ text: "and this", media: [media("three")] })
        const sessionId = SessionData.SessionId.make(session.sessionId)
        const store = yield* SessionStore.SessionStore
        const { list } = Attachments.make({ sessionId }, store)
        assert.deepStrictEqual(
          (yield* list).map((bytes) => Buffer.from(bytes).toString("utf8")),
          ["one", "two", "three"]
        )
      })
    )
  )
})

/** The Channel capability of a session: what it sends passes by as an event that says whose words they are. */
import { Canonical } from "@bough/protocol"
import type { Channel, Invocation, ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import { place, type SessionContext } from "./SessionContext.ts"

/** Null: the tree has no channel that shows messages. */
export const provided = (
  { channel }: Pick<SessionContext["tree"], "channel">,
  running: () => SessionContext
): ToolContext.Provided<Channel.Channel["Service"]> | null => {
  const { name, readers } = channel
  if (name === null || readers === undefined) return null
  const isOwn = readers === "owner"
  return {
    make: (invocation) => ({ send: (text) => send(running(), { channel: name, messageId: idOf(invocation) }, text) }),
    reach: isOwn ? "Confined" : "Open",
    preconditions: [],
    ...(isOwn ? { staysWithOwner: true } : {})
  }
}

const idOf = ({ callKey }: Invocation.Invocation["Service"]): string =>
  `msg_${Canonical.digest(`message ${callKey}`).replace("sha256:", "").slice(0, 24)}`

const send = (context: SessionContext, sent: Channel.Sent, text: string): Effect.Effect<Channel.Sent> =>
  Effect.as(
    context.channel.publish({
      _tag: "MessageSent",
      ...place(context),
      messageId: sent.messageId,
      from: { kind: context.kind, title: titleOf(context) },
      text
    }),
    sent
  )

/** "" for a Main. */
const titleOf = ({ journal: { sessionId }, tree }: SessionContext): string =>
  tree.live.get(sessionId)?.parent.journal.state.children.get(sessionId)?.spawned.title ?? ""

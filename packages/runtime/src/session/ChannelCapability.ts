/** The Channel capability of a session: it publishes each message as an event that names the sending session. */
import { Canonical, type Session } from "@bough/protocol"
import type { Channel, Invocation, ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import { type Journal, placeOf } from "../journal/Journal.ts"
import type { Channel as ChannelPort } from "../ports/Channel.ts"
import type { TreeState } from "../tree/Tree.ts"

/** The sending session, and the channel of its tree. */
interface Sender extends Pick<TreeState, "live"> {
  readonly journal: Journal["Service"]
  readonly kind: Session.Kind
  readonly channel: ChannelPort["Service"]
}

/** Null: the tree has no channel that shows messages. */
export const provide = (sender: Sender): ToolContext.ProvidedService<Channel.Channel["Service"]> | null => {
  const { name, readers } = sender.channel
  if (name === null || readers === undefined) return null
  const isOwn = readers === "owner"
  return {
    make: (invocation) => ({
      send: (text, media) => send(sender, { channel: name, messageId: idOf(invocation) }, { text, media })
    }),
    reach: isOwn ? "Confined" : "Open",
    preconditions: [],
    ...(isOwn ? { ownerOnly: true } : {})
  }
}

const idOf = ({ callKey }: Invocation.Invocation["Service"]): string =>
  `msg_${Canonical.digest(`message ${callKey}`).replace("sha256:", "").slice(0, 24)}`

interface Content {
  readonly text: string
  readonly media: Channel.SentMedia | undefined
}

const send = (
  sender: Sender,
  sent: Channel.SentMessage,
  { media, text }: Content
): Effect.Effect<Channel.SentMessage> =>
  Effect.as(
    sender.channel.publish({
      _tag: "MessageSent",
      ...placeOf(sender.journal),
      messageId: sent.messageId,
      from: { kind: sender.kind, title: titleOf(sender) },
      text,
      ...(media === undefined ? {} : { media })
    }),
    sent
  )

/** Returns the title of the session; "" for a Main. */
const titleOf = ({ journal: { sessionId }, live }: Sender): string =>
  live.get(sessionId)?.parent.journal.state.children.get(sessionId)?.spawned.title ?? ""

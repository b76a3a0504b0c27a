/** The Channel capability of a session: what it sends passes by as an event that says whose words they are. */
import { Canonical } from "@bough/protocol"
import type { Channel, Invocation, ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import { place, type Running } from "./Running.ts"

/** Null: the tree has no channel that shows messages. */
export const provided = (
  { channel }: Pick<Running["tree"], "channel">,
  running: () => Running
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

const send = (running: Running, sent: Channel.Sent, text: string): Effect.Effect<Channel.Sent> =>
  Effect.as(
    running.channel.publish({
      _tag: "MessageSent",
      ...place(running),
      messageId: sent.messageId,
      from: { kind: running.kind, title: titleOf(running) },
      text
    }),
    sent
  )

/** "" for a Main. */
const titleOf = ({ journal: { sessionId }, tree }: Running): string =>
  tree.live.get(sessionId)?.parent.journal.state.children.get(sessionId)?.spawned.title ?? ""

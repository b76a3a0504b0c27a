/** Formats a message of a session to a user: the session's name, and its text behind a bar. Pure. */
import type { Event } from "@bough/protocol"
import * as Escape from "@bough/tui/text/Escape"
import { behindBar } from "@bough/tui/text/Layout"
import { cut } from "@bough/tui/text/Rows"
import { type SafeText, text as safe } from "@bough/tui/text/SafeText"

export type Message = Pick<Extract<Event.Event, { readonly _tag: "MessageSent" }>, "from" | "text">

export const rows = ({ from, text }: Message, columns: number): ReadonlyArray<SafeText> => {
  const speaker = from.kind === "Main" ? "message" : `${from.kind.toLowerCase()} “${from.title}”`
  return [cut(safe`✉ ${Escape.line(speaker)}`, columns), ...behindBar(Escape.text(text), columns)]
}

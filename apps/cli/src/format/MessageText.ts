/** What a session tells people: which session it is, and its words behind a bar. Pure. */
import type { Event } from "@bough/protocol"
import * as Escape from "./Escape.ts"
import { type SafeText, text as safe } from "./SafeText.ts"
import { barred, cut } from "./Layout.ts"

export type Message = Pick<Extract<Event.Event, { readonly _tag: "MessageSent" }>, "from" | "text">

export const rows = ({ from, text }: Message, columns: number): ReadonlyArray<SafeText> => {
  const speaker = from.kind === "Main" ? "message" : `${from.kind.toLowerCase()} “${from.title}”`
  return [cut(safe`✉ ${Escape.line(speaker)}`, columns), ...barred(Escape.text(text), columns)]
}

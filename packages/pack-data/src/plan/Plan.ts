/**
 * The plan of a session, which shows the user the finished, active and remaining steps. It is stored only in the
 * journal.
 */
import { type Entry, OpenCalls } from "@bough/protocol"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const maxItems = 32
const maxLength = 240

const Item = Schema.Struct({
  text: Schema.NonEmptyString.check(
    Schema.isMaxLength(maxLength),
    Schema.makeFilter((text) => (/\p{Cc}/u.test(text) ? "a text is one line without control characters" : undefined))
  ),
  status: Schema.Literals(["pending", "active", "done"])
})

export const Plan = Schema.Struct({ items: Schema.Array(Item).check(Schema.isMaxLength(maxItems)) }).check(
  Schema.makeFilter(({ items }) =>
    items.filter(({ status }) => status === "active").length > 1 ? "at most one item may be active" : undefined
  )
)
export type Plan = typeof Plan.Type

/** Formats `Plan 2/5: write the tests`, with the active item, or else the next one. */
export const summary = ({ items }: Plan): string => {
  if (items.length === 0) return "The plan is empty"
  const done = items.filter(({ status }) => status === "done").length
  const now = items.find(({ status }) => status === "active") ?? items.find(({ status }) => status === "pending")
  return `Plan ${done}/${items.length}${now === undefined ? "" : `: ${now.text}`}`
}

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Plan))

/** Returns the plan after the last successful `update_plan` of these entries, oldest first; null: there was none. */
export const current = (entries: Iterable<Entry.Entry>): Plan | null => {
  const calls = OpenCalls.empty()
  let plan: Plan | null = null
  for (const entry of entries) {
    const ended = OpenCalls.append(calls, entry)
    if (ended?.call.name !== "update_plan" || entry.body._tag !== "CallEnded") continue
    if (entry.body.outcome._tag === "Succeeded") plan = Option.getOrElse(decode(ended.call.arguments), () => plan)
  }
  return plan
}

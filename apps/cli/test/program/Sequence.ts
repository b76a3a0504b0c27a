/** The events of a `stream-json` run, decoded through their schema: a line that does not decode fails the test. */
import { Event } from "@bough/protocol"
import * as Schema from "effect/Schema"
import { lines } from "./Bough.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Event.Event), { onExcessProperty: "error" })

export const eventsOf = (stdout: string): ReadonlyArray<Event.Event> => lines(stdout).map((line) => decode(line))

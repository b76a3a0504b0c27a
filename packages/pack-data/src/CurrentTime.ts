/** `current_time`: the current instant, and the local time of a time zone. */
import { ToolError } from "@bough/protocol"
import { Tool } from "@bough/tool"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const CurrentTime = Tool.make("current_time", {
  version: 1,
  description: "The date and time now",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({
    timeZone: Schema.optionalKey(
      Schema.NonEmptyString.annotate({ description: "IANA name, such as Europe/Paris; else the machine's" })
    )
  }),
  /** `instant` is in UTC, `local` has the zone's offset; both are ISO 8601. */
  output: Schema.Struct({ instant: Schema.String, local: Schema.String, timeZone: Schema.String }),
  forModel: ({ instant, local, timeZone }) => `${local} ${timeZone} (${instant})`,
  execute: Effect.fnUntraced(function* ({ timeZone }) {
    const zone = timeZone === undefined ? DateTime.zoneMakeLocal() : yield* zoneNamed(timeZone)
    const now = DateTime.setZone(yield* DateTime.now, zone)
    const output = {
      instant: DateTime.formatIso(now),
      local: DateTime.formatIsoOffset(now),
      timeZone: DateTime.zoneToString(zone)
    }
    return Tool.result({ output, display: `It is ${output.local} in ${output.timeZone}` })
  })
})

const zoneNamed = (timeZone: string): Effect.Effect<DateTime.TimeZone, ToolError.ValidationError> =>
  Effect.mapError(Effect.fromOption(DateTime.zoneMakeNamed(timeZone)), () => {
    const message = `${JSON.stringify(timeZone)} is not an IANA time zone: names look like Europe/Paris, America/New_York, UTC`
    return new ToolError.ValidationError({ message, field: "timeZone", issues: [{ path: "timeZone", message }] })
  })

/** The parameters of any child: the limits of its work, and the schema of its result. */
import * as Schema from "effect/Schema"

const minutes = (maximum: number) => Schema.Finite.check(Schema.isBetween({ minimum: 0.1, maximum }))

/** The parameters that every child can be given. */
export const bounds = {
  agent: Schema.optionalKey(Schema.String),
  outputSchema: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate({ description: "JSON Schema of the result; an object" })
  ),
  minutes: Schema.optionalKey(minutes(24 * 60).annotate({ description: "Working time" })),
  maxSteps: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))),
  share: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0.01, maximum: 1 })).annotate({
      description: "Of the budget that is left"
    })
  )
}

interface Bounds {
  readonly agent?: string
  readonly outputSchema?: Readonly<Record<string, unknown>>
  readonly minutes?: number
  readonly maxSteps?: number
  readonly share?: number
}

/** Returns the limits in the form that the capability accepts. */
export const boundsOf = ({ agent, maxSteps, minutes: time, outputSchema, share }: Bounds) => ({
  ...(agent === undefined ? {} : { agent }),
  outputSchema: outputSchema ?? null,
  lifetimeMillis: time === undefined ? null : Math.round(time * 60_000),
  maxSteps: maxSteps ?? null,
  share: share ?? null
})

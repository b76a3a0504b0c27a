/** Converts an error response to an error of the AI SDK, which `Failure` translates. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const Refusal = Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ message: Schema.String }) }))
const decodeRefusal = Schema.decodeUnknownOption(Refusal)

export const toStatusError = (response: {
  readonly status: number
  readonly statusText: string
  readonly headers: Iterable<readonly [string, string]>
  readonly text: string
}): Error =>
  Object.assign(
    new Error(
      Option.match(decodeRefusal(response.text), {
        onNone: () => response.statusText,
        onSome: ({ error }) => error.message
      })
    ),
    {
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: response.text
    }
  )

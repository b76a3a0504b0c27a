/** The user behind a message, and the key under which a repeated request is the same message. */
import { Principal } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { newMessageId } from "../Identity.ts"

export interface Sender {
  /** The name of a user, recorded with the message; default: the user of the session's agent. */
  readonly principal?: string
  /** A message with the same key of the same user is inserted once, even if its text differs. Default: a new key. */
  readonly key?: string
}

/** The name is not valid as the name of a user. */
export class PrincipalRefused extends Schema.TaggedError<PrincipalRefused>()("PrincipalRefused", {
  principal: Schema.String,
  message: Schema.String,
  hint: Schema.String
}) {}

/** Fails unless the name is valid as the name of a user. */
export const checkPrincipal = (principal: string): Effect.Effect<string, PrincipalRefused> => {
  const problem = Principal.problemOf(principal)
  return problem === null
    ? Effect.succeed(principal)
    : Effect.fail(
        new PrincipalRefused({
          principal,
          message: `the principal ${JSON.stringify(principal)} ${problem}`,
          hint: "give the name of the person who sends it"
        })
      )
}

/** Returns a dedupe key that includes the user, so that keys of two users never collide. */
export const dedupeKeyOf = ({ key }: Sender, principal: string): Effect.Effect<string> =>
  key === undefined ? newMessageId : Effect.succeed(`from:${principal}:${key}`)

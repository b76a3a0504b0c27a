/**
 * Pins a call to the objects to which its names resolved when it was judged. Otherwise a background command could move
 * a branch while a user reads an approval, or between the decision and the handler.
 */
import { ToolError } from "@bough/protocol"
import { Invocation, type Tool } from "@bough/tool"
import * as Effect from "effect/Effect"

/** The digest for a name that resolves to no object. */
export const none = "none"

export const fact = (key: string, id: string | null): Tool.Fact => ({ key, digest: id ?? none })

/** Returns the object for which the call was judged; null: there was none. */
export const idOf = (key: string): Effect.Effect<string | null, never, Invocation.Invocation> =>
  Effect.map(Invocation.Invocation, ({ facts }) => {
    const digest = facts.find((one) => one.key === key)?.digest ?? none
    return digest === none ? null : digest
  })

/** Fails if this fact is not among those for which the call was judged. */
export const check = ({ digest, key }: Tool.Fact): Effect.Effect<void, ToolError.ToolError, Invocation.Invocation> =>
  Effect.flatMap(Invocation.Invocation, ({ facts }) =>
    facts.length === 0 || facts.some((one) => one.key === key && one.digest === digest)
      ? Effect.void
      : Effect.fail(
          new ToolError.ExecutionError({
            message: `not done: the repository has changed since this call was judged (${key})`,
            hint: "look at it again, then repeat the call"
          })
        )
  )

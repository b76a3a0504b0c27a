/** Sentences about how a turn ended, which the screen shows live and for a session that is opened again. Pure. */
import type { Entry } from "@bough/protocol"
import { Compaction, Model } from "@bough/runtime"
import { hintFor } from "../CliFailure.ts"
import * as ProviderKey from "../session/ProviderKey.ts"

/** The sentence about a turn that its user has interrupted. */
export const stopped = "stopped"

/** The sentence that is shown while the model summarises the older part of a conversation. */
export const summarising = Compaction.summarising

/** Names the command that sends the request of a failed turn again. */
export const retry = "/retry repeats the request"

/** Names the command that leaves plan mode. */
export const planReady = "Plan mode: /accept executes the plan; a message changes it"

/** Formats a failure and its hint in a sentence. */
export const failure = (
  { hint, message }: { readonly message: string | null; readonly hint: string },
  program: string
): string => (hint === "" ? (message ?? "") : `${message ?? ""} — ${hintFor(program, hint)}`)

/** Formats the recorded failure of a model's reply as it was shown when it happened. */
export const recordedFailure = (
  { hint, message, reason }: Entry.ReplyFailure,
  { model, program }: { readonly model: string; readonly program: string }
): string => {
  const known = Model.ModelFailure.literals.find((literal) => literal === reason) ?? "Unsupported"
  const error = new Model.ModelError({
    reason: known,
    model,
    message,
    hint,
    retryable: false,
    retryAfterMillis: null
  })
  return failure(ProviderKey.toCliFailure(error), program)
}

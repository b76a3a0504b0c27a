/** The error of a vault: a sentence, and the next step for the user. */
import * as Schema from "effect/Schema"

export class VaultFailed extends Schema.TaggedError<VaultFailed>()("VaultFailed", {
  message: Schema.String,
  hint: Schema.String,
  /** True: no entry has the requested name. */
  isUnknownEntry: Schema.Boolean
}) {}

export const failed = (message: string, hint = ""): VaultFailed =>
  new VaultFailed({ message, hint, isUnknownEntry: false })

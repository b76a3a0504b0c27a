/** The redaction of the operator's secrets, made once: a start uses it in several places, and each value has many spellings. */
import { Redaction } from "@bough/dispatch"
import type { Settings } from "../config/Settings.ts"

type Secrets = Settings["secrets"]

const redactions = new WeakMap<Secrets, Redaction.Redaction>()

export const redactionOf = ({ secrets }: { readonly secrets: Secrets }): Redaction.Redaction => {
  const known = redactions.get(secrets)
  if (known !== undefined) return known
  const redaction = Redaction.make(secrets)
  redactions.set(secrets, redaction)
  return redaction
}

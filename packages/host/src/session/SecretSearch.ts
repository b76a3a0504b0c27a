/** The redaction of the operator's secrets, made once: a start uses it in several places, and each value has many spellings. */
import { Redaction } from "@bough/dispatch"
import type { Settings } from "../config/Settings.ts"

type Secrets = Settings["secrets"]

const made = new WeakMap<Secrets, Redaction.Redaction>()

export const redactionOf = ({ secrets }: { readonly secrets: Secrets }): Redaction.Redaction => {
  const known = made.get(secrets)
  if (known !== undefined) return known
  const redaction = Redaction.make(secrets)
  made.set(secrets, redaction)
  return redaction
}

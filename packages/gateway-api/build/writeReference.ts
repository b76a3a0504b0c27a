/** Writes `docs/gateway-api.md`. */
import { writeFileSync } from "node:fs"
import { referenceText } from "./referenceText.ts"

export const writeReference = (): void =>
  writeFileSync(new URL("../../../docs/gateway-api.md", import.meta.url), referenceText())

/** The version of this package. The bundle contains it as text. */
import { readFileSync } from "node:fs"

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string
}

export const version: string = manifest.version

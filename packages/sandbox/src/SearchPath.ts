/** The operator's PATH for commands in the sandbox. */
import * as Effect from "effect/Effect"
import { delimiter, isAbsolute } from "node:path"
import type { HostVariables } from "./Environment.ts"
import * as Disk from "./internal/Disk.ts"
import * as Toolchains from "./Toolchains.ts"

/** Returns the existing entries, and the toolchains to which they lead. */
export const find = Effect.fnUntraced(function* (host: HostVariables) {
  const named = (host["PATH"] ?? "").split(delimiter).filter((entry) => isAbsolute(entry))
  const found = yield* Effect.forEach(named, Disk.withoutLinks)
  const entries = [...new Set(found.filter((entry) => entry !== null))]
  const home = (yield* Disk.withoutLinks(host["HOME"] ?? "/nonexistent")) ?? "/nonexistent"
  // Excludes the home directory itself, to which a link could lead.
  const packages = yield* Effect.filter(
    entries.flatMap((entry) => Toolchains.packagesOf(entry, home)),
    (directory) => Effect.map(Disk.withoutLinks(directory), (real) => real === directory)
  )
  const toolchains = Toolchains.withDirectories(Toolchains.toolchainsOf(entries, home), packages)
  return { path: entries.join(delimiter), toolchains }
})

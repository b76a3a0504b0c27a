/** The packs that a file of packs imports, each with its version, as `--version` of a custom `bough` lists them. */
import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"

/** Matches `import … from "x"`, also over several lines, but no import of types alone. */
const imported = /^\s*(?:import|export)\s+(?!type\b)[^"';]*?\bfrom\s*["']([^"']+)["']/gmu

/** Packages that belong to the tool contract and are not packs. */
const contract = /^(?:node:.*|effect(?:\/.*)?|@bough\/(?:cli|tool|protocol)(?:\/testing)?)$/u

/** Lines such as `@acme/pack 1.2.0`, and `./Deploy.ts` for a file, in the order of the imports. */
export const packVersions = (file: string): ReadonlyArray<string> => {
  const specifiers = [...readFileSync(file, "utf8").matchAll(imported)].map(([, specifier = ""]) => specifier)
  return [...new Set(specifiers)]
    .filter((specifier) => !contract.test(specifier))
    .map((specifier) => {
      if (specifier.startsWith(".")) return specifier
      const version = versionOf(specifier, file)
      return version === null ? specifier : `${specifier} ${version}`
    })
}

const versionOf = (specifier: string, file: string): string | null => {
  try {
    const manifest = findPackageJSON(specifier, file)
    return manifest === undefined ? null : (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version
  } catch {
    // If an import is not installed, the code that loads it reports that.
    return null
  }
}

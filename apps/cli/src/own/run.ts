/** Runs a command line with the packs of a file, or with the packs of a built program. */
import { CliFailure, exitCode } from "../CliFailure.ts"
import { runWords } from "../main.ts"
import type { MainOptions } from "../MainOptions.ts"
import type { OwnPacks } from "./definePacks.ts"
import { loadPacks } from "./loadPacks.ts"
import { packVersions } from "./packVersions.ts"

/** Runs with the packs of `file`, then ends the process: `bough --packs FILE`. */
export const runFile = (file: string, words: ReadonlyArray<string>): Promise<void> =>
  loadPacks(file).then(
    (loaded) => runWords(words, loaded.packs, { packVersions: packVersions(file), ...loaded.options }),
    (error: unknown) => {
      const { code, hint, message } =
        error instanceof CliFailure ? error : { code: exitCode.failed, hint: "", message: String(error) }
      process.stderr.write(`bough: ${message}${hint === "" ? "" : ` — ${hint}`}\n`)
      process.exitCode = code
    }
  )

/** Runs with the packs of a build. */
export const runBuilt = ({ options, packs }: OwnPacks, built: MainOptions): void =>
  runWords(process.argv.slice(2), packs, { ...built, ...options })

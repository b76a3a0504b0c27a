/** Writes the outputs of a compilation beside their sources. */
import * as fs from "node:fs"

const isSame = (file: string, text: string): boolean => fs.existsSync(file) && fs.readFileSync(file, "utf8") === text

/** Writes the files whose content differs from the disk, and returns them. */
export const writeOutputs = (outputs: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const changed = staleOutputs(outputs)
  for (const file of changed) fs.writeFileSync(file, outputs.get(file) ?? "")
  return changed
}

/** Returns the files whose content on the disk is out of date. */
export const staleOutputs = (outputs: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...outputs].filter(([file, text]) => !isSame(file, text)).map(([file]) => file)

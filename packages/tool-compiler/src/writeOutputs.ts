/** Puts the outputs of a compilation beside their sources. */
import * as fs from "node:fs"

const isSame = (file: string, text: string): boolean => fs.existsSync(file) && fs.readFileSync(file, "utf8") === text

/** Writes the files whose text is another one than on the disk, and returns them. */
export const writeOutputs = (outputs: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const changed = staleOutputs(outputs)
  for (const file of changed) fs.writeFileSync(file, outputs.get(file) ?? "")
  return changed
}

/** The files whose text on the disk is another one. */
export const staleOutputs = (outputs: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...outputs].filter(([file, text]) => !isSame(file, text)).map(([file]) => file)

/** How the measured programs are started: from plain JavaScript, in an environment with no other variables. */
import { readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * Writes `programs/<name>.ts` as JavaScript into `folder`: stripping types at its start would count for the program.
 */
export const compileProgram = (name: string, folder: string): string => {
  const source = readFileSync(fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url)), "utf8")
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, stripTypeScriptTypes(source))
  return file
}

/** `home` stands for the user's home directory, empty except for the programs' own files. */
export const environment = (
  home: string,
  more: Readonly<Record<string, string>> = {}
): Readonly<Record<string, string>> => ({
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  HOME: home,
  LANG: "C.UTF-8",
  NO_COLOR: "1",
  ...more
})

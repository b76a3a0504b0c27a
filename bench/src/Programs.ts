/**
 * The way in which the measured programs are started: as plain JavaScript, in an environment without other variables.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * Writes `programs/<name>.ts` as JavaScript into `folder`, because stripping types at the start would count as the
 * program's time.
 */
export const compileProgram = (name: string, folder: string): string => {
  const source = readFileSync(fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url)), "utf8")
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, stripTypeScriptTypes(source))
  return file
}

/** Returns the environment of a program. `home`: a directory that is empty except for the programs' files. */
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

/** Type-checks a file of packs with the settings of its project, by the native compiler that is installed there. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, parse } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { failure } from "../CliFailure.ts"
import { makeFolder } from "./makeFolder.ts"

/** The settings for a project without settings. */
const defaults = {
  strict: true,
  module: "nodenext",
  target: "es2024",
  lib: ["es2025", "esnext.disposable"],
  types: ["*"],
  skipLibCheck: true
}

/** Throws the compiler's messages: for a pack that does not fit its kind, they name the capability. */
export const checkTypes = (file: string, print: (text: string) => void): void => {
  const folder = dirname(file)
  const projectConfig = nearestAbove(folder, "tsconfig.json")
  const typesFolder = join(nearestAbove(folder, "node_modules") ?? join(folder, "node_modules"), ".bough")
  makeFolder(typesFolder)
  // The folder is below the project, so that TypeScript finds the same types as for the project's own files.
  const settings = mkdtempSync(join(typesFolder, "check-"))
  try {
    const config = {
      ...(projectConfig === null ? {} : { extends: projectConfig }),
      compilerOptions: {
        ...(projectConfig === null ? defaults : {}),
        noEmit: true,
        composite: false,
        incremental: false,
        allowImportingTsExtensions: true,
        // The file of packs may be outside of the folder that the project compiles.
        rootDir: parse(folder).root
      },
      files: [file],
      include: [],
      references: []
    }
    writeFileSync(join(settings, "tsconfig.json"), JSON.stringify(config))
    const { status, stderr, stdout } = spawnSync(process.execPath, [compiler(file), "--pretty", "-p", settings], {
      cwd: folder,
      encoding: "utf8"
    })
    if (status === 0) return
    for (const line of stripVTControlCharacters(`${stdout}${stderr}`).trimEnd().split("\n")) print(line)
    throw failure("the packs were not built: their types do not fit", "")
  } finally {
    rmSync(settings, { recursive: true, force: true })
  }
}

const compiler = (file: string): string => {
  try {
    const manifest = createRequire(file).resolve("typescript/package.json")
    const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly bin: { readonly tsc: string } }
    return join(dirname(manifest), bin.tsc)
  } catch (cause) {
    throw failure("typescript is not installed beside the packs", 'run "npm install --save-dev typescript"', cause)
  }
}

/**
 * Returns the path of the entry with this name in the folder, or in the nearest parent folder that has such an entry.
 */
const nearestAbove = (folder: string, name: string): string | null => {
  if (existsSync(join(folder, name))) return join(folder, name)
  const parent = dirname(folder)
  return parent === folder ? null : nearestAbove(parent, name)
}

/** A project on the disk whose sources find the packages of this one. */
import type { ToolPack } from "@bough/tool"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { pathToFileURL } from "node:url"

export interface SampleProject {
  readonly folder: string
  /** The path of its tsconfig.json. */
  readonly config: string
  /** Writes the files into a new folder and returns their paths. */
  readonly put: (files: Readonly<Record<string, string>>) => ReadonlyArray<string>
  readonly remove: () => void
}

export const makeProject = (name: string, options: Readonly<Record<string, unknown>> = {}): SampleProject => {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), `bough-${name}-`))
  fs.symlinkSync(path.join(import.meta.dirname, "../node_modules"), path.join(folder, "node_modules"))
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }))
  const config = path.join(folder, "tsconfig.json")
  const compilerOptions = {
    strict: true,
    target: "esnext",
    module: "nodenext",
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    rewriteRelativeImportExtensions: true,
    types: [],
    ...options
  }
  fs.writeFileSync(config, JSON.stringify({ compilerOptions }))
  let folders = 0
  return {
    folder,
    config,
    put: (files) => {
      const made = path.join(folder, String((folders += 1)))
      fs.mkdirSync(made)
      return Object.entries(files).map(([file, text]) => {
        fs.writeFileSync(path.join(made, file), text)
        return path.join(made, file)
      })
    },
    remove: () => fs.rmSync(folder, { recursive: true })
  }
}

export const write = (outputs: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  for (const [file, text] of outputs) fs.writeFileSync(file, text)
  return [...outputs.keys()]
}

export const load = async (file: string | undefined): Promise<ToolPack.Any> =>
  ((await import(/* @vite-ignore */ pathToFileURL(file ?? "").href)) as { readonly pack: ToolPack.Any }).pack

/**
 * Finds a module of the `@bough/cli` that is installed beside a file of packs: the packs are made with that copy. Loads
 * nothing else, because it runs before the program is loaded.
 */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"

export interface ResolveFault {
  readonly _tag: "Fault"
  readonly message: string
  /** The next step for the user. */
  readonly hint: string
  readonly cause: unknown
}

export const resolveOwn = (
  file: string,
  module: "build" | "own"
): { readonly _tag: "Found"; readonly path: string } | ResolveFault => {
  if (!existsSync(file)) {
    const hint = "name a file of packs, such as bough.packs.ts, by its path from the workspace (--cwd)"
    return { _tag: "Fault", message: `there is no ${file}`, hint, cause: null }
  }
  try {
    return { _tag: "Found", path: createRequire(file).resolve(`@bough/cli/${module}`) }
  } catch (cause) {
    return { _tag: "Fault", ...describe(file, cause), cause }
  }
}

const describe = (file: string, cause: unknown): Pick<ResolveFault, "message" | "hint"> => {
  const { code, message } = (cause ?? {}) as NodeJS.ErrnoException
  if (code === "MODULE_NOT_FOUND") {
    return { message: `no @bough/cli is installed beside ${file}`, hint: 'run "npm install @bough/cli" there' }
  }
  if (code === "ERR_PACKAGE_PATH_NOT_EXPORTED") {
    return {
      message: `the @bough/cli that is installed beside ${file} cannot load packs`,
      hint: 'run "npm install @bough/cli@latest" there'
    }
  }
  const [reason = ""] = (message ?? String(cause)).split("\n")
  return { message: `the @bough/cli beside ${file} cannot be loaded: ${reason}`, hint: "" }
}

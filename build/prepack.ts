/**
 * Runs before a package is packed: builds it, and refuses a package that could not be installed. npm would keep
 * "workspace:^" in the tarball, and exports that lead to sources.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

interface Manifest {
  readonly name: string
  readonly scripts?: { readonly build?: string }
  readonly bin?: Readonly<Record<string, string>>
  readonly publishConfig?: { readonly exports?: unknown }
  readonly files?: ReadonlyArray<string>
}

const fail = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const agent = process.env["npm_config_user_agent"] ?? ""
if (!agent.startsWith("pnpm/")) {
  fail(`pack with pnpm: ${agent.split(" ")[0] || "this program"} leaves workspace:^ and catalog: in the tarball`)
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest

// A package may have a compiler of its own on its path, such as the one that a generator of its sources needs.
const compiler = join(import.meta.dirname, "../node_modules/.bin/tsc")

const isBuilt =
  spawnSync(compiler, ["-b"], { stdio: "inherit" }).status === 0 &&
  (manifest.scripts?.build === undefined || spawnSync("pnpm", ["run", "build"], { stdio: "inherit" }).status === 0)
if (!isBuilt) fail("it is not packed: its build failed")

/** Returns every file that the published manifest refers to, except patterns. */
const targets = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return value.includes("*") ? [] : [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(targets) : []
}

// A folder that another package builds, such as a page, would be omitted without an error.
const packedFiles = (manifest.files ?? []).filter((file) => !/[!*]/u.test(file))
const missing = [...targets(manifest.publishConfig?.exports), ...targets(manifest.bin), ...packedFiles].filter(
  (file) => !existsSync(file)
)
if (missing.length > 0) fail(`${manifest.name} is not packed: there is no ${missing.join(", ")}`)

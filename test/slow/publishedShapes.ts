/** The consumer's view of a tarball: entry points, types and module kinds, checked by publint and attw. */
import { type Analysis, checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { type Machine, ends, outputOf } from "./machine.ts"

/** The packages are ECMAScript modules alone, for resolvers that read "exports". */
const ignored = new Set<string>(["node10", "node16-cjs"])

interface Exports {
  readonly exports?: Readonly<Record<string, unknown>>
}

/** Every module that "exports" of the tarball lets a program import, with patterns expanded. */
const entryPoints = (machine: Machine, tarball: string): Array<string> => {
  const manifest = JSON.parse(
    ends(machine, ["tar", "-xzOf", tarball, "package/package.json"], { cwd: machine.folder })
  ) as Exports
  const names = Object.entries(manifest.exports ?? {}).flatMap(([name, target]) => (target === null ? [] : [name]))
  const modules = ends(machine, ["tar", "-tzf", tarball], { cwd: machine.folder })
    .split("\n")
    .flatMap((file) => /^package\/dist\/((?:(?!internal\/)[a-z]+\/)*[A-Z][^/]*)\.d\.ts$/u.exec(file)?.[1] ?? [])
  return names.flatMap((name) => (name === "./*" ? modules.map((module) => `./${module}`) : [name]))
}

/** The problems of a resolver that reads "exports". */
const problemsOf = ({ problems }: Analysis): ReadonlyArray<unknown> =>
  problems.filter((problem) => !("resolutionKind" in problem) || !ignored.has(problem.resolutionKind))

/** Fails with the problems of the first tarball that a resolver would misread. */
export const checkShapes = async (machine: Machine, tarballs: ReadonlyArray<string>): Promise<void> => {
  for (const tarball of tarballs) {
    const data = readFileSync(tarball)
    const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(data).buffer }, strict: true })
    const errors = messages.filter(({ type }) => type === "error").map((message) => formatMessage(message, pkg))
    assert.deepEqual(errors, [], tarball)
    const entrypoints = entryPoints(machine, tarball)
    assert.notEqual(entrypoints.length, 0, `${tarball} exports nothing`)
    const analysis = await checkPackage(createPackageFromTarballData(data), { entrypoints })
    assert.ok(analysis.types !== false, `${tarball} has no types`)
    assert.deepEqual(problemsOf(analysis), [], tarball)
  }
}

/** Libraries whose declarations do not compile without errors, or only with types of browsers. */
const foreignError = /node_modules\/(?!@bough\/)/u

/**
 * Fails with the first error in the declarations of these modules: programs compile them unless they set `skipLibCheck`,
 * which is off by default.
 */
export const checkDeclarations = (
  machine: Machine,
  project: string,
  { checks, modules }: Readonly<Record<"checks" | "modules", ReadonlyArray<string>>>
): void => {
  const file = "every-module.ts"
  writeFileSync(
    join(project, file),
    modules.map((name, index) => `export * as module${index} from ${JSON.stringify(name)}\n`).join("")
  )
  for (const resolution of [["nodenext"], ["preserve", "--moduleResolution", "bundler"]]) {
    const flags = ["--module", ...resolution, "--skipLibCheck", "false", "--pretty", "false"]
    const output = outputOf(machine, ["tsc", ...checks, ...flags, file], { cwd: project })
    const errors = output.split("\n").filter((line) => / error TS\d+:/u.test(line) && !foreignError.test(line))
    assert.deepEqual(errors, [], `declarations of packages, ${resolution.at(-1)}`)
  }
}

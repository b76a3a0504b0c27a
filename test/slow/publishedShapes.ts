/** What a registry's readers see of a tarball: entry points, types and module kinds, checked by publint and attw. */
import assert from "node:assert/strict"
import { join } from "node:path"
import { type Machine, ends, repository } from "./machine.ts"

/** The packages are modules of ECMAScript alone, for resolvers that read "exports". */
const ignored = ["--profile", "esm-only"]

interface Exports {
  readonly exports?: Readonly<Record<string, unknown>>
}

/** Every module that "exports" of the tarball lets a program import, a pattern written out. */
const entryPoints = (machine: Machine, tarball: string): ReadonlyArray<string> => {
  const manifest = JSON.parse(
    ends(machine, ["tar", "-xzOf", tarball, "package/package.json"], { cwd: machine.folder })
  ) as Exports
  const names = Object.entries(manifest.exports ?? {}).flatMap(([name, target]) => (target === null ? [] : [name]))
  const modules = ends(machine, ["tar", "-tzf", tarball], { cwd: machine.folder })
    .split("\n")
    .flatMap((file) => /^package\/dist\/((?:(?!internal\/)[a-z]+\/)*[A-Z][^/]*)\.d\.ts$/u.exec(file)?.[1] ?? [])
  return names.flatMap((name) => (name === "./*" ? modules.map((module) => `./${module}`) : [name]))
}

/** Fails with the report of the first tarball that a resolver would misread. */
export const checkShapes = (outer: Machine, tarballs: ReadonlyArray<string>): void => {
  const machine = { ...outer, path: `${join(repository, "node_modules/.bin")}:${outer.path}` }
  for (const tarball of tarballs) {
    ends(machine, ["publint", "run", tarball, "--strict"], { cwd: machine.folder })
    const points = entryPoints(machine, tarball)
    assert.notEqual(points.length, 0, `${tarball} exports nothing`)
    ends(machine, ["attw", tarball, ...ignored, "--entrypoints", ...points], { cwd: machine.folder })
  }
}

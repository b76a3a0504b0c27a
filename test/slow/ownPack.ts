/**
 * A pack that `npm create bough-pack` made, in a project over packed packages: tested, built, run by `bough` and made
 * into a program.
 */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { ends, type Machine } from "./machine.ts"

/** Makes the pack below the project, which provides its packages. */
export const ownPack = (machine: Machine, project: string): void => {
  assert.match(ends(machine, ["create-bough-pack", "word-tools"], { cwd: project }), /^created the pack word-tools/)
  const cwd = join(project, "word-tools")
  const manifest = readFileSync(join(cwd, "package.json"), "utf8")
  assert.doesNotMatch(manifest, /workspace:|catalog:|"\*"/)
  assert.match(ends(machine, ["npm", "test"], { cwd }), /count_words: the tier is honest/)
  ends(machine, ["npm", "run", "build"], { cwd })

  const call = ["call", "count_words", '{"text":"two words"}']
  assert.match(ends(machine, ["bough", "--packs", "bough.packs.ts", ...call], { cwd }), /"words": 2/)
  ends(machine, ["bough", "build"], { cwd })
  const program = ["node", "dist/bough/bough.js"]
  assert.match(
    ends(machine, [...program, "--version"], { cwd }),
    /^bough v\d.*\n {2}@bough\/cli\/packs \d.*\n {2}\.\/src\/index\.ts\n$/
  )
  assert.match(ends(machine, [...program, ...call], { cwd }), /"words": 2/)
  // A binary, a thread with a grammar, and WebAssembly: files outside of the bundle.
  for (const [tool, given, said] of [
    ["search_files", { pattern: "splits?" }, /CountWords\.ts/],
    ["find_symbols", { name: "CountWords" }, /src\/CountWords\.ts/]
  ] as const) {
    assert.match(ends(machine, [...program, "call", tool, JSON.stringify(given)], { cwd }), said)
  }
  console.log("a new pack: tested, built, run and made into a program")
}

/** A tree of TypeScript files like that of a large project, the same for every search program. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export interface SourceTree {
  readonly root: string
  readonly parts: ReadonlyArray<string>
  readonly filesPerPart: number
  /** Directories, each with the same number of files. */
  readonly groups: ReadonlyArray<string>
  readonly filesPerGroup: number
  readonly bytes: number
  /** A word that occurs once in each of `needles` files. */
  readonly needle: string
  readonly needles: number
}

const functionsPerFile = 100
const needleEvery = 100
const groupsPerPart = 40

/** Returns a source. No two are equal, so a cache of one does not help with another. */
const source = (part: number, file: number, needle: string): string =>
  [
    `import { helper${(file + 1) % 50} } from "./other.ts"`,
    ...Array.from(
      { length: functionsPerFile },
      (_, at) =>
        `/** Adds up what part ${part} of file ${file} has to say about its ${at}th subject for its caller. */\n` +
        `export const compute${part}x${file}x${at} = (first: number, second: string): string => {\n` +
        `  const total = first * ${at + 1} + second.length\n` +
        `  return total > ${file} ? \`\${second}: \${total}\` : second.toUpperCase()\n}\n`
    ),
    file % needleEvery === 0 ? `export const ${needle} = ${file}\n` : ""
  ].join("\n")

export const make = (
  root: string,
  { filesPerPart, parts }: { readonly parts: number; readonly filesPerPart: number }
): SourceTree => {
  const needle = "quixoticMarker"
  let bytes = 0
  const names = Array.from({ length: parts }, (_, part) => `part${part}`)
  for (const [part, name] of names.entries()) {
    for (let file = 0; file < filesPerPart; file++) {
      const directory = join(root, name, `group${file % groupsPerPart}`)
      mkdirSync(directory, { recursive: true })
      const text = source(part, file, needle)
      bytes += text.length
      writeFileSync(join(directory, `module${file}.ts`), text)
    }
  }
  const groups = Array.from({ length: groupsPerPart }, (_, group) => `part0/group${group}`)
  const filesPerGroup = filesPerPart / groupsPerPart
  return {
    root,
    parts: names,
    filesPerPart,
    groups,
    filesPerGroup,
    bytes,
    needle,
    needles: parts * Math.ceil(filesPerPart / needleEvery)
  }
}

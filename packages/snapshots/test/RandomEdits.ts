/** Edits of a workspace as tools and commands make them, chosen by a seed. */
import * as fs from "node:fs"

/** Makes a generator whose numbers depend only on the seed (mulberry32). */
export const random = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return { below, pick: <A>(items: ReadonlyArray<A>): A => items[below(items.length)] }
}

const bytes = (text: string): Buffer => Buffer.from(text, "latin1")

const names = [
  "a.txt",
  "A.txt",
  "b",
  "B",
  "-rf",
  "--",
  " ",
  "new\nline",
  "tab\t",
  "ünï",
  "\xff\xfe",
  "caf\xe9",
  "caf\xc3\xa9",
  "\\",
  "*",
  "$(x)",
  ".hidden",
  ".gitignore",
  "node_modules",
  "x".repeat(255),
  "…",
  "a~1"
].map((name) => (/[\u0100-\uffff]/u.test(name) || name === "ünï" ? Buffer.from(name, "utf8") : bytes(name)))

const contents = ["", "x", "x\n", "y\n", "a\0b", "\xff\xfe", "long ".repeat(2_000), "*.txt\n", "node_modules\nb/\n"]

const separator = bytes("/")
const join = (...parts: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part])))

/**
 * True if a directory on the way to the path is a link: a change there would happen elsewhere, on the machine that runs
 * the tests.
 */
const leadsElsewhere = (root: string, path: Buffer): boolean => {
  const from = Buffer.byteLength(root) + 1
  for (let at = path.indexOf("/", from); at !== -1; at = path.indexOf("/", at + 1)) {
    if (isLink(path.subarray(0, at))) return true
  }
  return false
}

const isLink = (path: Buffer): boolean => {
  try {
    return fs.lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

/** Makes one change below the root and nowhere else; an impossible change is skipped. */
export const edit = (root: string, { below, pick }: ReturnType<typeof random>): void => {
  const depth = below(4)
  const at = join(bytes(root), ...Array.from({ length: depth + 1 }, () => pick(names)))
  const other = join(bytes(root), ...Array.from({ length: below(3) + 1 }, () => pick(names)))
  const content = bytes(pick(contents))
  /** Changes the path itself, never the target of a link there. */
  const unlinked = (change: () => void) => (): void => {
    if (!isLink(at)) change()
  }
  const change: ReadonlyArray<() => void> = [
    unlinked(() => fs.writeFileSync(at, content)),
    unlinked(() => {
      fs.mkdirSync(at.subarray(0, at.lastIndexOf("/")), { recursive: true })
      fs.writeFileSync(at, content, { mode: pick([0o644, 0o755, 0o600, 0o444]) })
    }),
    unlinked(() => fs.appendFileSync(at, content)),
    () => fs.rmSync(at, { recursive: true, force: true }),
    () => fs.mkdirSync(at, { recursive: true }),
    () => fs.symlinkSync(pick(["a.txt", "../..", "/nowhere/else", "\xff", "missing"]), at, "file"),
    () => fs.renameSync(at, other),
    unlinked(() => fs.chmodSync(at, pick([0o600, 0o640, 0o755, 0o777, 0o711]))),
    () => fs.linkSync(at, other),
    () => {
      // A file in place of a directory, and the other way round.
      const wasDirectory = fs.lstatSync(at).isDirectory()
      fs.rmSync(at, { recursive: true })
      if (wasDirectory) fs.writeFileSync(at, content)
      else fs.mkdirSync(at)
    }
  ]
  if (leadsElsewhere(root, at) || leadsElsewhere(root, other)) return
  try {
    pick(change)()
  } catch {
    // The file was missing, or another file was in the way.
  }
}

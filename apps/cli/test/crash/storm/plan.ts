/** A tree of sessions made from a seed: which session starts which, and the calls with an effect of each session. */
export interface Node {
  readonly task: string
  /** A Worker reads once, and has no children. */
  readonly kind: "Main" | "Branch" | "Worker"
  readonly launches: number
  readonly children: ReadonlyArray<Node>
}

export type Random = () => number

/** Makes a generator whose numbers depend only on the seed. */
export const random = (seed: number): Random => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const upTo = (next: Random, most: number): number => Math.floor(next() * (most + 1))

const maxDepth = 3

export const plan = (seed: number): Node => node(random(seed), "main", 0)

const node = (next: Random, task: string, depth: number): Node => {
  const width = depth >= maxDepth ? 0 : upTo(next, depth === 0 ? 2 : 1)
  const branches = Array.from({ length: width }, (_, index) => node(next, `${task}.${index}`, depth + 1))
  const least = branches.length === 0 ? 1 : 0
  const launches = Math.max(least, upTo(next, 2))
  const errands = next() < 0.4 ? [worker(`${task}.errand`)] : []
  return { task, kind: depth === 0 ? "Main" : "Branch", launches, children: [...branches, ...errands] }
}

const worker = (task: string): Node => ({ task, kind: "Worker", launches: 0, children: [] })

export const nodes = (root: Node): ReadonlyArray<Node> => [root, ...root.children.flatMap(nodes)]

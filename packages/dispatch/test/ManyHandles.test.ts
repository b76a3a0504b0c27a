/** Large values of packs' services: the search for handles in them is linear, however a handler reads them. */
import { assert, describe, it } from "@effect/vitest"
import * as CallGate from "../src/CallGate.ts"

const size = 3000

interface Link {
  readonly within?: Link
  readonly run?: () => string
}

const chain = (last: Link): Link => {
  let link = last
  for (let depth = 0; depth < size; depth++) link = { within: link }
  return link
}

const guarded = <A>(value: A): { readonly gate: CallGate.CallGate; readonly value: A } => {
  const gate = CallGate.make()
  const service = gate.guard({ value: () => value }, "Handles") as { readonly value: () => A }
  return { gate, value: service.value() }
}

/** Counts how often the search lists the members of objects. */
const searched = (read: () => void): number => {
  const { ownKeys } = Reflect
  let count = 0
  Reflect.ownKeys = (target) => {
    count += 1
    return ownKeys(target)
  }
  try {
    read()
  } finally {
    Reflect.ownKeys = ownKeys
  }
  return count
}

describe("a value of thousands of objects", () => {
  it("is searched once if its rows are read one by one from a handle", () => {
    const rows = Array.from({ length: size }, (_, id) => ({ id, of: { id } }))
    const { value } = guarded({ rows, close: () => "closed" })
    let sum = 0
    const count = searched(() => {
      for (let at = 0; at < value.rows.length; at++) sum += value.rows[at].of.id
    })
    assert.strictEqual(sum, (size * (size - 1)) / 2)
    assert.isBelow(count, 3 * size)
    assert.strictEqual(value.rows, rows, "data is passed unchanged")
  })

  it("is searched once if a handle is at its end, and the handle ends with the call", () => {
    const { gate, value } = guarded(chain({ run: () => "ran" }))
    let last = value
    const count = searched(() => {
      while (last.within !== undefined) last = last.within
    })
    assert.isBelow(count, 10 * size)
    assert.strictEqual(last.run?.(), "ran")
    gate.end()
    assert.throws(() => last.run?.(), /has ended/u)
  })

  it("is searched once if each of its nodes leads back to a handle", () => {
    interface Node {
      readonly id: number
      readonly up: Node | Root
      readonly nodes: Array<Node>
    }
    interface Root {
      readonly nodes: Array<Node>
      readonly close: () => string
    }
    const nodes = (up: Node | Root, count: number): Array<Node> => {
      const made = Array.from({ length: count }, (_, id): Node => ({ id, up, nodes: [] }))
      for (const node of made) if (count > 3) node.nodes.push(...nodes(node, Math.floor(count / 4)))
      return made
    }
    const root: Root = { nodes: [], close: () => "closed" }
    root.nodes.push(...nodes(root, 64))
    const { gate, value } = guarded(root)
    const kept: Array<Node> = []
    const walk = (node: Node): void => {
      kept.push(node)
      node.nodes.forEach(walk)
    }
    const count = searched(() => value.nodes.forEach(walk))
    assert.isAbove(kept.length, 1000)
    assert.isBelow(count, 20 * kept.length)
    gate.end()
    for (const { up } of kept) if ("close" in up) assert.throws(() => up.close(), /has ended/u)
  })

  it("is not searched again for each step of a loop over its handles", () => {
    const { gate, value } = guarded(Array.from({ length: size }, (_, id) => ({ id, run: () => id })))
    let sum = 0
    const count = searched(() => {
      for (const one of value) sum += one.run()
      for (const [, { id }] of new Map(value.map((one) => [one.id, one]))) sum -= id
    })
    assert.strictEqual(sum, 0)
    assert.isBelow(count, 2 * size)
    const [first] = value
    gate.end()
    assert.throws(() => first.run(), /has ended/u)
  })

  it("is a handle although it was data at first, if it is small", () => {
    const lent: Array<{ readonly run: () => string }> = []
    const gate = CallGate.make()
    const service = gate.guard(
      { lent, lend: () => void lent.push({ run: () => "ran" }), close: () => {} },
      "Handles"
    ) as { readonly lent: typeof lent; readonly lend: () => void }
    assert.strictEqual(service.lent.length, 0)
    service.lend()
    const [handle] = service.lent
    assert.strictEqual(handle.run(), "ran")
    gate.end()
    assert.throws(() => handle.run(), /has ended/u)
  })
})

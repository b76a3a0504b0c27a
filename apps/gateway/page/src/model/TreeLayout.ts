/** The positions of a tree's sessions in its picture: the Main on top, children below, without overlaps. Pure. */
import { stratify, tree } from "d3-hierarchy"

export interface TreeNode {
  readonly sessionId: string
  /** The id of the parent; null: this is the Main. */
  readonly parentId: string | null
}

export interface PlacedSession<N extends TreeNode> {
  readonly node: N
  readonly x: number
  readonly y: number
}

export interface Link {
  readonly from: string
  readonly to: string
  readonly path: string
}

export interface TreeLayout<N extends TreeNode> {
  readonly placed: ReadonlyArray<PlacedSession<N>>
  readonly links: ReadonlyArray<Link>
  readonly width: number
  readonly height: number
}

export const nodeWidth = 142
export const nodeHeight = 92
const gap = { x: 12, y: 34 }
const margin = 4

/**
 * Calculates the positions. A session with an unknown parent is placed below the Main; without a Main there is no
 * picture.
 */
export const place = <N extends TreeNode>(nodes: ReadonlyArray<N>): TreeLayout<N> => {
  const main = nodes.find(({ parentId }) => parentId === null)
  if (main === undefined) return { placed: [], links: [], width: 0, height: 0 }
  const known = new Set(nodes.map(({ sessionId }) => sessionId))
  const parentOf = (node: N): string | null =>
    node === main ? null : node.parentId !== null && known.has(node.parentId) ? node.parentId : main.sessionId
  const root = tree<N>().nodeSize([nodeWidth + gap.x, nodeHeight + gap.y])(
    stratify<N>()
      .id(({ sessionId }) => sessionId)
      .parentId(parentOf)([...nodes])
  )
  const all = root.descendants()
  const left = Math.min(...all.map(({ x }) => x))
  const placed = all.map(({ data, x, y }) => ({ node: data, x: x - left + margin, y: y + margin }))
  const links = root.links().map(({ source, target }) => ({
    from: source.data.sessionId,
    to: target.data.sessionId,
    path: curve(
      { x: source.x - left + margin + nodeWidth / 2, y: source.y + margin + nodeHeight },
      { x: target.x - left + margin + nodeWidth / 2, y: target.y + margin }
    )
  }))
  return {
    placed,
    links,
    width: Math.max(...placed.map(({ x }) => x)) + nodeWidth + margin,
    height: Math.max(...placed.map(({ y }) => y)) + nodeHeight + margin
  }
}

interface Point {
  readonly x: number
  readonly y: number
}

const curve = (from: Point, to: Point): string => {
  const middle = (from.y + to.y) / 2
  return `M${from.x},${from.y} C${from.x},${middle} ${to.x},${middle} ${to.x},${to.y}`
}

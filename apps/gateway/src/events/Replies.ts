/** The replies of a tree that are in progress, with the deltas so far. */
import type { Frame } from "@bough/gateway-api"

type Delta = Frame.FrameOf<"Delta">
type Part = Pick<Delta, "part"> & { text: string }

interface Reply {
  readonly first: Delta
  readonly parts: Array<Part>
}

export interface Replies {
  /** Adds a delta and returns it for the readers: the first one of a reply replaces what an earlier attempt wrote. */
  readonly add: (delta: Delta) => Delta
  /** Removes a reply once its entry arrives. */
  readonly settle: (entry: Frame.FrameOf<"Entry">) => void
  /** Returns each reply in full, part by part. */
  readonly whole: () => ReadonlyArray<Delta>
}

export const make = (): Replies => {
  const replies = new Map<string, Reply>()
  return {
    add: (delta) => {
      const known = replies.get(delta.sessionId)
      const isSame = known !== undefined && known.first.turn === delta.turn && known.first.step === delta.step
      const reply = isSame ? known : { first: delta, parts: [] }
      if (!isSame) replies.set(delta.sessionId, reply)
      const last = reply.parts.at(-1)
      if (last?.part === delta.part) last.text += delta.text
      else reply.parts.push({ part: delta.part, text: delta.text })
      return isSame ? delta : { ...delta, whole: true }
    },
    settle: ({ entry: { body }, sessionId }) => {
      if (body._tag === "ModelReplied" || body._tag === "StepStarted") replies.delete(sessionId)
    },
    whole: () =>
      Array.from(replies.values()).flatMap(({ first, parts }) =>
        parts.map(({ part, text }, index) => ({ ...first, part, text, whole: index === 0 }))
      )
  }
}

/** Checks whether a tree stayed within its budget, from its journals alone. */
import type { Budget, Entry, Session } from "@bough/protocol"
import { assert } from "@effect/vitest"

export type Entries = ReadonlyMap<Session.SessionId, ReadonlyArray<Entry.Entry>>

const dimensions = ["inputTokens", "outputTokens", "costUsd", "activeMillis", "steps", "spawns"] as const
type Dimension = (typeof dimensions)[number]

/** Along each journal: the shares of children and the usage never exceed the budget. */
export const check = (tree: Entries, whole: Budget.Limit) => {
  for (const [sessionId, entries] of tree) {
    const [{ body: opened }] = entries
    const limits = (opened._tag === "SessionOpened" ? opened.terms?.budget : undefined) ?? whole
    for (const dimension of dimensions) {
      const limit = limits[dimension]
      if (limit !== null) checkPage(sessionId, entries, { dimension, limit })
    }
  }
}

const checkPage = (
  sessionId: Session.SessionId,
  entries: ReadonlyArray<Entry.Entry>,
  { dimension, limit }: { readonly dimension: Dimension; readonly limit: number }
) => {
  const live = new Map<string, number>()
  let spent = 0
  let awaited = 0
  const left = () => limit - spent - awaited - [...live.values()].reduce((sum, input) => sum + input, 0)
  const holds = (what: string) => assert.isAtLeast(left(), -1e-9, `${sessionId}: ${dimension}: ${what}`)
  for (const { body } of entries) {
    if (body._tag === "StepStarted") {
      // A reply that was lost with a process counts as the prompt of its request.
      spent += awaited
      awaited = 0
      if (dimension !== "spawns") assert.isAbove(left(), 0, `${sessionId} begins a step with no ${dimension} left`)
      if (dimension === "steps") spent += 1
      if (dimension === "inputTokens") awaited = body.reservedTokens
      holds("a step may take more than is left")
    }
    if (body._tag === "ModelReplied" || body._tag === "StateChanged") {
      if (body._tag === "ModelReplied") awaited = 0
      spent += usedBy(body, dimension)
      holds("more is taken than was left")
    }
    if (body._tag === "ChildSpawned") {
      if (dimension === "spawns") spent += 1
      live.set(body.childId, body.budget[dimension] ?? 0)
      holds("it gives away what it has not")
    }
    if (body._tag === "ChildEnded") {
      live.delete(body.childId)
      spent += body.result.usage[dimension] ?? 0
      holds("a child took more than it was given")
    }
  }
  const last = entries.at(-1)?.body
  if (last?._tag !== "SessionEnded") return
  const reported = last.result.usage[dimension]
  assert.isNotNull(reported, `${sessionId}: ${dimension}: nobody knows what it took`)
  assert.isAtMost(reported, limit + 1e-9, `${sessionId}: ${dimension}: it took more than it was given`)
  // The time after the last reply, and the cost of an answer without a known price, are only in the end entry.
  if (dimension === "activeMillis" || dimension === "costUsd") assert.isAtLeast(reported, spent - 1e-9)
  else assert.strictEqual(reported, spent + awaited, `${sessionId}: ${dimension}`)
}

const usedBy = (body: Entry.BodyOf<"ModelReplied" | "StateChanged">, dimension: Dimension): number => {
  if (dimension === "steps" || dimension === "spawns") return 0
  if (dimension === "activeMillis") return body.activeMillis ?? 0
  return body._tag === "StateChanged" ? 0 : (body.usage[dimension] ?? 0)
}

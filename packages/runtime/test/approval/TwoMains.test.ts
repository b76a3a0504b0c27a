/** Two Mains of one store do not mix: their messages, decisions and takeovers in every order. */
import { Inbox, type Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chosenOf, thorough } from "../../../../test/thorough.ts"
import { SessionStore } from "../../src/index.ts"
import * as Explore from "./Explore.ts"
import { type Event, explore, type Setting } from "./twoMains.ts"

const intact: Setting["store"] = (store) => store

const setting = (left: ReadonlyArray<Event>, right: ReadonlyArray<Event>, store = intact): Setting => ({
  events: { left, right },
  store
})

const settings = {
  "a decision for the other": setting(["approve astray", "send"], ["send"]),
  "both are decided": setting(["approve"], ["deny"]),
  "a decision goes astray": setting(["approve", "approve astray"], ["deny"]),
  "messages to both": setting(["send", "approve"], ["send"]),
  "one is taken over": setting(["approve", "take over"], ["approve"]),
  "both are taken over": setting(["approve", "take over"], ["approve", "take over"]),
  everything: setting(["send", "approve", "take over"], ["deny", "approve astray"])
}

const quick = new Set(["a decision for the other", "both are decided"])

/** A store with one space of dedupe keys for all its trees. */
const keysOfAll: Setting["store"] = (store) => {
  const seen = new Set<string>()
  return {
    ...store,
    submit: (submission) => {
      const key = Inbox.keyOf(submission)
      if (seen.has(key)) return Effect.succeed({ inserted: false })
      seen.add(key)
      return store.submit(submission)
    }
  }
}

/** The trees that the owners have acquired, in order. */
const treesOf = (store: SessionStore.SessionStore["Service"], trees: Set<Session.SessionId>): typeof store => ({
  ...store,
  acquire: (treeId) => Effect.tap(store.acquire(treeId), () => Effect.sync(() => trees.add(treeId)))
})

/** A store that reads the inbox of the tree that was acquired last. */
const newestInbox: Setting["store"] = (store) => {
  const trees = new Set<Session.SessionId>()
  return { ...treesOf(store, trees), inbox: (treeId) => store.inbox([...trees].at(-1) ?? treeId) }
}

/** A store that files a decision by its approval and ignores the tree that it was sent to. */
const byApproval: Setting["store"] = (store) => ({
  ...store,
  submit: (submission) => {
    const { command } = submission
    if (command._tag !== "DecideApproval") return store.submit(submission)
    return Effect.flatMap(Effect.orDie(store.approval(command.approvalId)), ({ request }) =>
      store.submit({ ...submission, treeId: request.sessionPath[0] })
    )
  }
})

/** A store with one lease for all trees: the commits of a tree fail once another tree was acquired again. */
const oneLease: Setting["store"] = (store) => {
  const acquired = new Map<Session.SessionId, number>()
  let newest: Session.SessionId | null = null
  return {
    ...store,
    acquire: (treeId) =>
      Effect.tap(store.acquire(treeId), () =>
        Effect.sync(() => {
          const times = (acquired.get(treeId) ?? 0) + 1
          acquired.set(treeId, times)
          if (times > 1) newest = treeId
        })
      ),
    commit: (batch) =>
      newest !== null && newest !== batch.treeId
        ? Effect.fail(new SessionStore.LeaseLost({ treeId: batch.treeId }))
        : store.commit(batch)
  }
}

const breakages: Readonly<Record<string, readonly [Setting, broken: string, steps: number]>> = {
  "one space of dedupe keys": [setting(["send"], ["send"], keysOfAll), "right has lost its message", 2],
  "the inbox of another tree": [setting(["approve"], [], newestInbox), "left is decided, and nothing goes on", 1],
  "decisions filed by approval": [
    setting(["approve astray"], [], byApproval),
    "the effect of left happened without its decision",
    3
  ],
  "one lease for all trees": [
    setting(["take over"], ["approve"], oneLease),
    "right is decided, and its call has not ended",
    3
  ]
}

describe("two Mains of one store", () => {
  const all = Object.entries(settings)
  for (const [name, setting] of chosenOf(all, (index) => quick.has(all[index][0]))) {
    it(`do not mix: ${name}`, { ...thorough, timeout: 600_000 }, () => {
      const { counterexample, states } = explore(setting)
      assert.strictEqual(counterexample === null ? "" : Explore.describe(counterexample), "")
      assert.isAbove(states, 6)
    })
  }

  for (const [name, [setting, broken, steps]] of Object.entries(breakages)) {
    it(`are found to mix by ${name}`, { timeout: 60_000 }, () => {
      const { counterexample } = explore(setting)
      assert.deepStrictEqual(counterexample && [counterexample.broken, counterexample.path.length], [broken, steps])
    })
  }
})

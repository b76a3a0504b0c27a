/** The memory of idle sessions in the gateway's process, both loaded and unloaded. */
import { check } from "../Check.ts"
import * as Gateway from "./Gateway.ts"
import type { HeldQuestion } from "./Questions.ts"

/** The number of sessions before the first reading: they allocate the data that all later sessions share. */
const before = 100
const batch = 50

/** Measures the growth of the process for each session after one turn. */
export const measure = async (folder: string, sessions: number, kept: "loaded" | "unloaded"): Promise<HeldQuestion> => {
  const maxLoaded = kept === "loaded" ? sessions + before + 10 : 16
  const gateway = await Gateway.start(folder, { maxLoaded, idleMillis: 3_600_000, restMillis: 0, streams: batch })
  const grow = async (count: number): Promise<HeldQuestion> => {
    for (let made = 0; made < count; made += batch) {
      await gateway.turnsUnread(await gateway.create(Math.min(batch, count - made)), "Hello")
    }
    return gateway.child.ask<HeldQuestion>("held")
  }
  try {
    const memoryBefore = await grow(before)
    const memoryAfter = await grow(sessions)
    const loaded = await gateway.child.ask<number>("loaded")
    check(loaded === (kept === "loaded" ? sessions + before : 16), `${loaded} sessions are loaded`)
    return {
      heapBytes: (memoryAfter.heapBytes - memoryBefore.heapBytes) / sessions,
      pssBytes: (memoryAfter.pssBytes - memoryBefore.pssBytes) / sessions
    }
  } finally {
    await gateway.child.stop()
  }
}

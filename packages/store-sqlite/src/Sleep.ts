/** The time for which the machine slept since it started. */
import { uptime } from "node:os"

/** The system's uptime exceeds the monotonic clock, which stops while the machine sleeps, by the time asleep. */
export const asleepMillis = (): number => Math.round(uptime() * 1000) - Number(process.hrtime.bigint() / 1_000_000n)

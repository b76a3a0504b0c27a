/**
 * The tool whose code runs, also in timers, listeners, promises and fibers that a handler leaves behind. The app can
 * tell by it an error that a handler throws after its call from an error of its own.
 */
import { AsyncLocalStorage } from "node:async_hooks"

/** Shared by every copy of this package: a pack may bring its own. */
const key = Symbol.for("@bough/tool/handlerOrigin")

const shared = globalThis as { [key]?: AsyncLocalStorage<string> }
const storage = (shared[key] ??= new AsyncLocalStorage())

/** Runs code of the tool's handler. */
export const runInside = <A>(tool: string, run: () => A): A => storage.run(tool, run)

/** Runs code that a handler calls and that is not the tool's own, such as a capability. */
export const runOutside = <A>(run: () => A): A => storage.exit(run)

/** Returns the name of the tool; undefined: the code that runs comes from no handler. */
export const current = (): string | undefined => storage.getStore()

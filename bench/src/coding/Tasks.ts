/** Every task of the benchmark. */
import { additions } from "./Additions.ts"
import { changes } from "./Changes.ts"
import { fixes } from "./Fixes.ts"
import type { Task } from "./Task.ts"

export const tasks: ReadonlyArray<Task> = [...fixes, ...additions, ...changes]

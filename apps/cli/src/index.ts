/** The `bough` command for other tools than ours: `main({ main: …, worker: … })` is a whole program. */
export { main } from "./main.ts"
export type { MainOptions } from "./main.ts"
export type { Packs, PrebuiltSchemas } from "@bough/host/Packs"

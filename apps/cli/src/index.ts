/** The `bough` command for programs with their own tools: `main({ main: …, worker: … })` is a whole program. */
export { main } from "./main.ts"
export { definePacks } from "./own/definePacks.ts"
export type { MainOptions, PackAgent } from "./MainOptions.ts"
export type { OwnPacks } from "./own/definePacks.ts"
export type { Packs, PrebuiltSchemas } from "@bough/host/Packs"

/** The `bough` command: our own packs, with their schemas derived at build time. */
import { main } from "../main.ts"
import * as Packs from "../Packs.ts"
import { prebuilt } from "../PrebuiltSchemas.ts"

main(Packs, { schemas: prebuilt })

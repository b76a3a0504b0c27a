/** The `bough` command: Bough's packs, with their schemas derived at build time. */
import { DeclarationCheck } from "@bough/tool"
import { main } from "../main.ts"
import * as Packs from "../Packs.ts"
import { prebuilt } from "../PrebuiltSchemas.ts"

// The build has made and checked the tools of these packs. Other tools are checked when they are made.
DeclarationCheck.start()
main(Packs, { schemas: prebuilt })

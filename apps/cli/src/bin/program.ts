/** The `bough` command: Bough's packs, with their schemas derived at build time. */
import { DeclarationCheck } from "@bough/tool"
import { main } from "../main.ts"
import * as Packs from "../Packs.ts"
import { prebuilt } from "../PrebuiltSchemas.ts"

// Runs after the imports: the build has made and checked the tools of these packs. Tools that are made later are checked.
DeclarationCheck.start()
main(Packs, { schemas: prebuilt })

/** A `bough` with this pack: `npm run bough`, or `npx bough build` for a program of its own. */
import { definePacks } from "@bough/cli"
import * as standard from "@bough/cli/packs"
import { SessionKind, ToolPack } from "@bough/tool"
import { pack } from "./src/index.ts"

export default definePacks({
  main: SessionKind.Main.tools(ToolPack.merge(standard.all, pack)),
  worker: SessionKind.Worker.tools(ToolPack.merge(standard.readOnly, pack)),
  core: new Set([...standard.core, "count_words"])
})

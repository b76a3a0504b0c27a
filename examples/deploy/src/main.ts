/** The command line with the file tools and `deploy`: a program of your own. */
import { main } from "@bough/cli"
import { FilesPack } from "@bough/pack-files"
import { SessionKind, ToolPack } from "@bough/tool"
import { Deploy } from "./Deploy.ts"

main(
  {
    main: SessionKind.Main.tools(ToolPack.merge(FilesPack.all, ToolPack.make(Deploy))),
    worker: SessionKind.Worker.tools(FilesPack.readOnly)
  },
  { name: "deployer" }
)

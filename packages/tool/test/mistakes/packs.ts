/** Further mistakes of programs without types: misspelt parts of a declaration, and packs that contain other values than tools. */
import { ToolPack } from "@bough/tool"
import { make, type Mistake, say } from "./declarations.ts"

export const mistakes: ReadonlyArray<Mistake> = [
  ...["timeout", "findExisitng", "egres", "excute"].map((name) => ({
    name: `part that is called ${name}`,
    make: make({ [name]: 30 }),
    says: say(`${name}: there is no such part; there are description, version, parameters`)
  })),
  {
    name: "replay of null",
    make: make({ replay: null }),
    says: say("replay: must be one of Safe, Idempotent, Unsafe (it is null)")
  },
  {
    name: "pack of a list of tools",
    make: () => ToolPack.make([make({})()] as never),
    says: "a pack: argument 1 must be a tool of Tool.make or Tool.fromAsync; pass the tools of a list as in ToolPack.make(...tools)"
  },
  {
    name: "pack of a pack",
    make: () => ToolPack.make(make({})(), ToolPack.make(make({})()) as never),
    says: "a pack: argument 2 must be a tool of Tool.make or Tool.fromAsync; packs are merged by ToolPack.merge"
  },
  {
    name: "pack of a tool that is missing",
    make: () => ToolPack.make(undefined as never),
    says: "a pack: argument 1 must be a tool of Tool.make or Tool.fromAsync (it is missing)"
  },
  {
    name: "pack of a function that makes a tool",
    make: () => ToolPack.make(make({}) as never),
    says: "a pack: argument 1 must be a tool of Tool.make or Tool.fromAsync (it is of type function)"
  },
  {
    name: "tool that is merged as a pack",
    make: () => ToolPack.merge(make({})() as never),
    says: "ToolPack.merge: argument 1 must be a pack, as in ToolPack.make(tool)"
  }
]

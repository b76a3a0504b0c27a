/** The types of imports such as `./deploy.ts?tools`: add "@bough/tool-compiler/client" to `types` in tsconfig.json. */
declare module "*?tools" {
  import type { ToolPack } from "@bough/tool"

  export const pack: ToolPack.Any
}

/** The tools of each kind of session. */
import { SessionKind } from "@bough/tool"
import { all, core, readOnly, reflection as ofReflection } from "./StandardPacks.ts"

export const main = SessionKind.Main.tools(all)
export const worker = SessionKind.Worker.tools(readOnly)
export const reflection = SessionKind.Reflection.tools(ofReflection)
export { core }

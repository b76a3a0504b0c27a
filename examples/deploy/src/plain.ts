/** Tools in a plain program: each one is an async function with the same checks. The first argument is the site. */
import { open } from "@bough/sdk"
import { ToolPack } from "@bough/tool"
import { DeployAsync } from "./DeployAsync.ts"

await using tools = await open(ToolPack.make(DeployAsync), { root: process.argv[2] ?? "site" })

const deployed = await tools.deploy({ environment: "staging" })
console.log(deployed.status === "success" ? deployed.result.display : deployed)

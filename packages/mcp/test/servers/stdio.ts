/** The sample server over standard streams. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { make } from "./tools.ts"

await make().connect(new StdioServerTransport())

/** The parts of the protocol's SDK that a server uses. Loaded once a server is started. */
export { Server } from "@modelcontextprotocol/sdk/server/index.js"
export { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
export { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
export { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
export {
  CallToolRequestSchema,
  ErrorCode,
  isInitializeRequest,
  ListToolsRequestSchema,
  McpError
} from "@modelcontextprotocol/sdk/types.js"

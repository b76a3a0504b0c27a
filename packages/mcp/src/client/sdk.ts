/** The parts of the protocol's SDK that a client uses. Loaded once a server is configured. */
export { auth, extractWWWAuthenticateParams } from "@modelcontextprotocol/sdk/client/auth.js"
export { Client } from "@modelcontextprotocol/sdk/client/index.js"
export { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js"
export { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
export {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  JSONRPCMessageSchema,
  ListRootsRequestSchema,
  ResultSchema,
  PromptListChangedNotificationSchema,
  ToolListChangedNotificationSchema
} from "@modelcontextprotocol/sdk/types.js"

/** The paths of other protocols with their methods. Pure. */

export const methods = {
  "/v1/models": ["GET"],
  "/v1/models/:model": ["GET"],
  "/v1/models/:model/:agent": ["GET"],
  "/v1/chat/completions": ["POST"],
  "/v1/responses": ["POST"],
  "/v1/responses/:responseId": ["GET", "DELETE"],
  "/v1/responses/:responseId/input_items": ["GET"],
  "/v1/responses/:responseId/cancel": ["POST"],
  "/api/chat": ["POST"],
  "/api/chat/:chatId/stream": ["GET"],
  "/ag-ui": ["POST"],
  "/mcp": ["GET", "POST", "DELETE"]
} as const

export type Path = keyof typeof methods

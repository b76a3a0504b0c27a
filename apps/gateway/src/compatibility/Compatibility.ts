/** Third-party clients: OpenAI's API, the AI SDK's UI message stream, AG-UI and MCP over the same hosted sessions. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AccessPolicy } from "../auth/AccessPolicy.ts"
import * as AgUiRoutes from "./ag-ui/AgUiRoutes.ts"
import * as ChatRoutes from "./ai-sdk/ChatRoutes.ts"
import { ApprovalLinks, linksBelow } from "./ApprovalLinks.ts"
import * as Conversations from "./Conversations.ts"
import * as HostedTurns from "./HostedTurns.ts"
import * as McpRoutes from "./mcp/McpRoutes.ts"
import * as OpenAiRoutes from "./openai/OpenAiRoutes.ts"
import * as OpenedRequests from "./openai/OpenedRequests.ts"
import * as RequestBody from "./RequestBody.ts"
import * as TurnStreams from "./TurnStreams.ts"

/** Links to the page at the address by which users reach it. */
const links = Layer.effect(
  ApprovalLinks,
  Effect.map(AccessPolicy, ({ publicUrl }) => linksBelow(publicUrl))
)

export const layer = Layer.mergeAll(OpenAiRoutes.layer, ChatRoutes.layer, AgUiRoutes.layer, McpRoutes.layer).pipe(
  Layer.provide(TurnStreams.layer),
  Layer.provide([HostedTurns.layer, Conversations.layer, OpenedRequests.layer, RequestBody.layer, links])
)

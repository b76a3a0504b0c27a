/** The API as one value, from which the server, the OpenAPI document, the reference page and the client are made. */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { Failures } from "./Failures.ts"
import { ApprovalsApi } from "./resources/Approvals.ts"
import { ArtifactsApi } from "./resources/Artifacts.ts"
import { AttachmentsApi } from "./resources/Attachments.ts"
import { CatalogApi } from "./resources/Catalog.ts"
import { ChangesApi } from "./resources/Changes.ts"
import { JournalApi } from "./resources/Journal.ts"
import { MessagesApi } from "./resources/Messages.ts"
import { NotesApi } from "./resources/Notes.ts"
import { RulesApi } from "./resources/Rules.ts"
import { SessionsApi } from "./resources/Sessions.ts"
import { SignInApi } from "./resources/SignIn.ts"
import { SystemApi } from "./resources/System.ts"
import { TenantsApi } from "./resources/Tenants.ts"
import { TokensApi } from "./resources/Tokens.ts"
import { UsageApi } from "./resources/Usage.ts"
import { WebhooksApi } from "./resources/Webhooks.ts"
import { WorkspacesApi } from "./resources/Workspaces.ts"
import * as Summaries from "./Summaries.ts"

export class Api extends HttpApi.make("bough-gateway")
  .add(SystemApi, SessionsApi, MessagesApi, JournalApi, ApprovalsApi, SignInApi, TokensApi, TenantsApi)
  .add(CatalogApi, RulesApi, NotesApi, UsageApi, AttachmentsApi, ArtifactsApi, WorkspacesApi, ChangesApi, WebhooksApi)
  .middleware(Failures)
  .annotateMerge(
    OpenApi.annotations({
      title: "Bough gateway",
      version: "1",
      description: "Sessions of agents for many people: messages, events, approvals.",
      // Relative to the location of the document, because the gateway works under any prefix.
      servers: [{ url: "." }],
      transform: Summaries.addTo
    })
  ) {}

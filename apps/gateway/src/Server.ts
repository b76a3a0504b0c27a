/** The gateway as a layer: its routes over the services that they need, on a Node HTTP server. */
import { Api, Limits } from "@bough/gateway-api"
import { SessionStoreSql } from "@bough/store-sqlite"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { createServer } from "node:http"
import { join } from "node:path"
import * as AccountsSql from "./accounts/AccountsSql.ts"
import * as Quotas from "./accounts/Quotas.ts"
import * as SignInFailures from "./accounts/SignInFailures.ts"
import { AccessPolicy, layer as accessPolicyLayer } from "./auth/AccessPolicy.ts"
import * as AuthorizationLive from "./auth/AuthorizationLive.ts"
import type { AuthSettings } from "./auth/AuthSettings.ts"
import * as OpenIdProvider from "./auth/OpenIdProvider.ts"
import * as RequestGuard from "./auth/RequestGuard.ts"
import * as Compatibility from "./compatibility/Compatibility.ts"
import * as OpenAiProblems from "./compatibility/openai/OpenAiProblems.ts"
import * as GatewayDatabase from "./database/GatewayDatabase.ts"
import * as EventStreams from "./events/EventStreams.ts"
import * as OpenStreams from "./events/OpenStreams.ts"
import * as Attachments from "./files/Attachments.ts"
import { Drain, layer as drainLayer } from "./operations/Drain.ts"
import * as FailuresLive from "./operations/FailuresLive.ts"
import * as IdempotencyLive from "./operations/IdempotencyLive.ts"
import { layer as modelCallsLayer } from "./operations/ModelCalls.ts"
import { RequestCounts, layer as requestCountsLayer } from "./operations/RequestCounts.ts"
import * as RequestLog from "./operations/RequestLog.ts"
import * as Responses from "./operations/Responses.ts"
import * as Retention from "./operations/Retention.ts"
import { DataDirectory } from "./operations/ServerMetrics.ts"
import * as UsageLedger from "./operations/UsageLedger.ts"
import * as PageRoutes from "./page/PageRoutes.ts"
import * as ReferenceRoutes from "./page/ReferenceRoutes.ts"
import * as ApprovalRoutes from "./routes/ApprovalRoutes.ts"
import * as ArtifactRoutes from "./routes/ArtifactRoutes.ts"
import * as AttachmentRoutes from "./routes/AttachmentRoutes.ts"
import * as CatalogRoutes from "./routes/CatalogRoutes.ts"
import * as ChangeRoutes from "./routes/ChangeRoutes.ts"
import * as JournalRoutes from "./routes/JournalRoutes.ts"
import * as MessageRoutes from "./routes/MessageRoutes.ts"
import * as NoteRoutes from "./routes/NoteRoutes.ts"
import * as OpenIdCallback from "./routes/OpenIdCallback.ts"
import * as RuleRoutes from "./routes/RuleRoutes.ts"
import * as SessionRoutes from "./routes/SessionRoutes.ts"
import * as SignInRoutes from "./routes/SignInRoutes.ts"
import * as SystemRoutes from "./routes/SystemRoutes.ts"
import * as TenantRoutes from "./routes/TenantRoutes.ts"
import * as TokenRoutes from "./routes/TokenRoutes.ts"
import * as UsageRoutes from "./routes/UsageRoutes.ts"
import * as WebhookRoutes from "./routes/WebhookRoutes.ts"
import * as WorkspaceRoutes from "./routes/WorkspaceRoutes.ts"
import * as AgentCatalog from "./sessions/AgentCatalog.ts"
import * as HostedSessions from "./sessions/HostedSessions.ts"
import * as OwnSessions from "./sessions/OwnSessions.ts"
import * as SessionRemoval from "./sessions/SessionRemoval.ts"
import * as UserHosts from "./sessions/UserHosts.ts"
import * as Workspaces from "./sessions/Workspaces.ts"
import * as WebhookOutbox from "./webhooks/WebhookOutbox.ts"
import { WebhookPolicy } from "./webhooks/WebhookPolicy.ts"
import * as Webhooks from "./webhooks/Webhooks.ts"
import * as WebhookSender from "./webhooks/WebhookSender.ts"

export interface ServerOptions extends Pick<
  HostedSessions.HostedSessionsOptions,
  "environment" | "model" | "idleMillis" | "maxIdleOpen" | "maxLoaded" | "restMillis"
> {
  /** The directory of everything that the gateway stores. */
  readonly dataDirectory: string
  readonly host: string
  /** The port; 0: any free one. */
  readonly port: number
  /** Default: loopback names only, and no provider. */
  readonly access?: AuthSettings
  /** Default: one agent, and the models of configured providers. */
  readonly catalog?: AgentCatalog.CatalogOptions
  /** Default: sessions are stored for ever. */
  readonly retention?: Retention.RetentionSettings
  /** Default: only receivers on the internet are allowed. */
  readonly webhooks?: Partial<WebhookSender.WebhookSettings>
}

/**
 * The time for which an idle connection stays open: longer than the 60 seconds of common proxies and load balancers, so
 * that they close it, and never send a request on a connection that the server closes at that moment.
 */
const idleConnectionMillis = 75_000

/** The time that connections have to close after the drain. */
const closesWithin = "1 second"

const nodeServer = (drain: Drain["Service"]) => () =>
  createServer({
    // Node would keep only the first value of a repeated header, and a proxy may have decided by the other one.
    joinDuplicateHeaders: true,
    keepAliveTimeout: idleConnectionMillis,
    maxHeaderSize: Limits.limits.headerBytes,
    headersTimeout: Limits.limits.headersMillis,
    // By default Node looks for timed-out connections every 30 seconds, which is longer than the time limit for a
    // client's headers.
    connectionsCheckingInterval: 2_000,
    requestTimeout: Limits.limits.requestMillis
  })
    .on("request", (_, response) => drain.watch(response))
    // The event of a request whose client waits to be asked for the body.
    .on("checkContinue", (_, response) => drain.watch(response))

const listen = (host: string, port: number) =>
  Layer.unwrap(
    Effect.map(Drain, (drain) =>
      NodeHttpServer.layer(nodeServer(drain), { host, port, gracefulShutdownTimeout: closesWithin })
    )
  )

/** The services that routes and commands share, over the data of one directory. */
export const services = ({ dataDirectory, ...options }: Omit<ServerOptions, "host" | "port" | "access">) => {
  const tenantsDirectory = join(dataDirectory, "tenants")
  const configDirectory = join(dataDirectory, "config")
  const agents = { ...options, tenantsDirectory, configDirectory }
  const stored = Layer.mergeAll(
    UserHosts.layer(agents),
    SessionStoreSql.layer({ directory: join(dataDirectory, "sessions") }),
    GatewayDatabase.layer(dataDirectory)
  )
  const people = Layer.mergeAll(Quotas.layer, SignInFailures.layer()).pipe(
    Layer.provideMerge(AccountsSql.layer),
    Layer.provideMerge(modelCallsLayer),
    Layer.provideMerge(AgentCatalog.layer({ ...options.catalog })),
    Layer.provideMerge(Layer.succeed(DataDirectory, dataDirectory)),
    Layer.provideMerge(stored)
  )
  const known = Layer.mergeAll(
    Workspaces.layer(tenantsDirectory),
    Attachments.layer(tenantsDirectory),
    HostedSessions.layer(agents),
    UsageLedger.layer,
    requestCountsLayer,
    drainLayer
  ).pipe(Layer.provideMerge(people))
  const webhooks = { ...WebhookSender.defaults, ...options.webhooks }
  const webhookSender = WebhookSender.layer(webhooks).pipe(
    Layer.merge(Layer.succeed(WebhookPolicy, webhooks)),
    Layer.provideMerge(WebhookOutbox.layer),
    Layer.merge(Webhooks.layer)
  )
  const removal = Retention.layer(tenantsDirectory, options.retention ?? {}).pipe(
    Layer.provideMerge(SessionRemoval.layer)
  )
  return Layer.mergeAll(
    webhookSender,
    removal,
    OwnSessions.layer,
    EventStreams.layer,
    OpenStreams.layer,
    FailuresLive.layer
  ).pipe(Layer.provideMerge(known))
}

const handlers = Layer.mergeAll(
  SystemRoutes.layer,
  SessionRoutes.layer,
  MessageRoutes.layer,
  JournalRoutes.layer,
  ApprovalRoutes.layer,
  CatalogRoutes.layer,
  RuleRoutes.layer,
  NoteRoutes.layer,
  UsageRoutes.layer,
  SignInRoutes.layer,
  TokenRoutes.layer,
  TenantRoutes.layer,
  AttachmentRoutes.layer,
  ArtifactRoutes.layer,
  WorkspaceRoutes.layer,
  ChangeRoutes.layer,
  WebhookRoutes.layer
)

const routes = HttpApiBuilder.layer(Api.Api, { openapiPath: "/openapi.json" }).pipe(
  Layer.provide(handlers),
  Layer.provide([AuthorizationLive.layer, IdempotencyLive.layer]),
  Layer.merge(OpenIdCallback.layer),
  Layer.merge(PageRoutes.layer),
  Layer.merge(ReferenceRoutes.layer)
)

/**
 * Makes the server, which listens for the lifetime of the layer, and provides the services that it is built on and its
 * address.
 */
export const layer = ({ access = {}, host, port, ...options }: ServerOptions) => {
  // Wraps the router, whose own middleware runs only for known routes.
  const serving = Effect.gen(function* () {
    const app = yield* HttpRouter.toHttpEffect(Layer.mergeAll(routes, Compatibility.layer))
    const guard = RequestGuard.make(yield* AccessPolicy)
    const drain = yield* Drain
    const answered = Responses.finish(drain, yield* RequestCounts)(guard(app))
    yield* HttpServer.serveEffect(RequestLog.record(OpenAiProblems.translate(answered)))
    // Registered last, so it runs first: streams get their Resume frame, and open requests end, before the server stops
    // listening.
    yield* Effect.addFinalizer(() => Effect.andThen(drain.begin, drain.finished))
  })
  return Layer.effectDiscard(serving).pipe(
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(Limits.limits.bodyBytes))),
    Layer.provideMerge(OpenIdProvider.layer(access, options.environment.variables)),
    Layer.provideMerge(accessPolicyLayer(access)),
    Layer.provideMerge(listen(host, port)),
    Layer.provideMerge(services(options))
  )
}

/** The key `mcpServers` of the operator's configuration: servers of the Model Context Protocol. */
import { Tier } from "@bough/protocol"
import * as Schema from "effect/Schema"
import { describe, serverLimits } from "../ConfigFields.ts"

const text = Schema.NonEmptyString
const byName = Schema.Record(Schema.String, Schema.String)

export const Server = Schema.Struct({
  command: describe(
    text,
    "Program that talks over its standard streams; left out: the server is reached by url, or the project's .mcp.json has it"
  ),
  args: describe(Schema.Array(Schema.String), "Arguments of the program"),
  env: describe(byName, "Environment variables of the program; for secrets, write ${NAME} of an environment variable"),
  cwd: describe(text, "Working directory of the program, relative to the workspace"),
  url: describe(text, "URL of a server that is reached by HTTP"),
  type: describe(
    Schema.Literals(["stdio", "http", "sse"]),
    "Transport: http, which falls back to the older sse; or sse"
  ),
  headers: describe(byName, 'Headers of each request; "Bearer ${NAME}" reads the secret from an environment variable'),
  enabled: describe(Schema.Boolean, "Whether the server is used; default true"),
  description: describe(text, "Text before the description of each of its tools; default: the name of the server"),
  tiers: describe(
    Schema.Record(Schema.String, Tier.Tier),
    "Tiers of its tools by name, * matches any text; default System, which requires approval"
  ),
  network: describe(
    Schema.Union([Schema.Boolean, Schema.Array(text)]),
    "Hosts that the program reaches from its sandbox: true for all, or a list such as api.example.com; default: none"
  ),
  sandbox: describe(Schema.Boolean, "False: the program runs outside of the sandbox, as you; default true"),
  limits: serverLimits,
  oauth: describe(
    Schema.Struct({
      clientId: describe(text, "Client that is registered at the authorization server; default: one registers itself"),
      clientSecret: describe(text, "Secret of the client; write ${NAME} of an environment variable"),
      issuer: describe(
        text,
        "Issuer URL of the authorization server where the client is registered; required with clientSecret if its host differs from the MCP server's"
      ),
      scope: describe(text, "Scope to request if the server names none"),
      redirectPort: describe(
        Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 })),
        "Loopback port to which the login page redirects; default: any free port"
      )
    }),
    "Login by OAuth: bough mcp login NAME"
  ),
  sampling: describe(
    Schema.Union([
      Schema.Boolean,
      Schema.Struct({
        model: describe(text, "Model that answers, as provider/model; default: the model of the session"),
        maxTokens: describe(
          Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
          "The maximum number of tokens of one answer; default 4096"
        ),
        requestsPerMinute: describe(
          Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })),
          "The maximum number of requests in a minute; default 10"
        )
      })
    ]),
    "Whether the server may ask the model during its calls, at the session's expense: true, or limits; default false"
  ),
  timeoutSeconds: describe(
    Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(86_400)),
    "The longest time that a call may take; default 120"
  ),
  startSeconds: describe(
    Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(3600)),
    "The longest time that its start may take, for which the first message of a session waits; default 5 for the message, 15 for a call, 30 for an attempt to connect"
  )
})
export type Server = typeof Server.Type

export const Servers = Schema.Record(Schema.String, Server)

/**
 * A gateway as a process of its own, which tests may kill: `serve DIRECTORY [WEBHOOKS]`. It prints its address and a
 * token.
 */
import type { Model } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { commandLine } from "../../src/accounts/AuditLog.ts"
import { TenantId, UserId } from "../../src/accounts/Principal.ts"
import * as Server from "../../src/Server.ts"

/** The file that a message asks for, as `KillLedger.fileOf` names it. */
const fileOf = (text: string): string => `${text.replace("write ", "")}/AGENTS.md`

const end = (reason: "stop" | "toolCalls"): Model.ModelPart => ({
  _tag: "End",
  reason,
  inputTokens: 3,
  cachedInputTokens: 0,
  outputTokens: 3,
  costUsd: null
})

/** Answers in pieces, as a model over the network does; a request to write needs an approval. */
const next = ({ messages }: Model.Prompt): ReadonlyArray<Model.ModelPart> => {
  const newest = messages.at(-1)
  if (newest?._tag === "User" && newest.text.startsWith("write ")) {
    const callId = `call-${messages.length}`
    const content = { path: fileOf(newest.text), content: newest.text }
    return [
      { _tag: "ToolCallStart", callId, name: "write_file" },
      { _tag: "ToolCallArguments", callId, text: JSON.stringify(content) },
      end("toolCalls")
    ]
  }
  return [...["one ", "two ", "three"].map((text) => ({ _tag: "Text", text }) as const), end("stop")]
}

const model: Model.Model["Service"] = {
  name: "test/echo",
  contextTokens: null,
  priced: false,
  stream: (prompt) => Stream.fromIterable(next(prompt))
}

const tenant = TenantId.make("acme")
const user = UserId.make("ada")

const announce = Effect.gen(function* () {
  const { address } = yield* HttpServer.HttpServer
  const accounts = yield* Accounts
  const scopes = ["read", "chat", "approve"] as const
  yield* Effect.ignore(accounts.addTenant({ tenant, name: "acme" }, commandLine))
  yield* Effect.ignore(accounts.addUser({ tenant, user, name: "ada", scopes }, commandLine))
  const { secret } = yield* accounts.issue({ tenant, user, scopes, label: "test", lifetimeMillis: null }, commandLine)
  process.stdout.write(`${HttpServer.formatAddress(address)} ${Redacted.value(secret)}\n`)
})

const [directory = "", webhooks = "{}"] = process.argv.slice(2)
const fiber = Effect.runFork(
  Layer.launch(
    Layer.provideMerge(
      Layer.effectDiscard(announce),
      Server.layer({
        dataDirectory: directory,
        host: "127.0.0.1",
        port: 0,
        environment: { variables: { PATH: process.env["PATH"] }, platform: process.platform },
        model: () => model,
        webhooks: JSON.parse(webhooks) as NonNullable<Server.ServerOptions["webhooks"]>
      })
    )
  )
)
process.once("SIGTERM", () => fiber.interruptUnsafe())

/** Responses are read again by the client `openai`, from the journals of their sessions. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import OpenAI, { BadRequestError, NotFoundError } from "openai"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { withModel } from "../../../cli/test/program/ModelServer.ts"
import * as Gateway from "../Gateway.ts"
import * as Served from "./served.ts"

const clientOf = (gateway: Pick<Gateway.Gateway, "url">, apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 })

/** The response's data about the turn, without the parts that only its request has. */
const summaryOf = ({ id, metadata, model, output, status, usage }: OpenAI.Responses.Response) => ({
  id,
  metadata,
  model,
  output: output.map((item) => ("id" in item ? { ...item, id: "" } : item)),
  status,
  usage
})

const failure = (request: Promise<unknown>) => request.catch((error: unknown) => error)

describe("a stored response", () => {
  it.live("equals the original answer, whatever followed", () =>
    Served.serve(
      [
        { text: "Looking.", calls: [{ name: "list_files", arguments: {} }] },
        { text: "Nothing here." },
        { text: "Yes." }
      ],
      (served) =>
        Effect.promise(async () => {
          const client = clientOf(served.gateway, served.token)
          const first = await client.responses.create({ model: "bough", input: "what is there?", store: false })
          // The session keeps its messages, and the response says so.
          assert.isTrue((first as { readonly store?: boolean }).store)
          const second = await client.responses.create({
            model: "bough",
            input: "sure?",
            previous_response_id: first.id
          })
          assert.deepStrictEqual(summaryOf(await client.responses.retrieve(first.id)), summaryOf(first))
          assert.deepStrictEqual(summaryOf(await client.responses.retrieve(second.id)), summaryOf(second))
          const { data } = await client.responses.inputItems.list(second.id)
          assert.deepStrictEqual(
            data.map((item) => (item.type === "message" ? item.content : null)),
            [[{ type: "input_text", text: "sure?" }]]
          )
          const eve = clientOf(served.gateway, await Effect.runPromise(served.tokenOf("acme/eve")))
          assert.instanceOf(await failure(eve.responses.retrieve(first.id)), NotFoundError)
          assert.instanceOf(await failure(eve.responses.inputItems.list(first.id)), NotFoundError)
          assert.instanceOf(await failure(eve.responses.delete(first.id)), NotFoundError)
          assert.instanceOf(await failure(client.responses.retrieve("resp_none")), NotFoundError)
          const streamed = await failure(client.responses.retrieve(first.id, { stream: true }))
          assert.instanceOf(streamed, BadRequestError)
          assert.strictEqual(streamed.param, "stream")
          const deleted = await failure(client.responses.delete(first.id))
          assert.instanceOf(deleted, BadRequestError)
          assert.include(deleted.message, `DELETE /api/v1/sessions/${first.metadata?.["bough_session"]}`)
        })
    )
  )

  it.live(
    "has the approvals that it requested, and those of a branch below it",
    () =>
      Served.serve(Served.branchApprovalScript, (served) =>
        Effect.promise(async () => {
          const client = clientOf(served.gateway, served.token)
          const first = await client.responses.create({ model: "bough", input: "Start a branch" })
          const request = first.output.find(({ type }) => type === "mcp_approval_request")
          if (request?.type !== "mcp_approval_request") throw new Error("nothing is asked")
          const stored = await client.responses.retrieve(first.id)
          const kindsOf = ({ output }: OpenAI.Responses.Response) => output.map(({ type }) => type).toSorted()
          assert.deepStrictEqual(kindsOf(stored), kindsOf(first))
          const answer = { type: "mcp_approval_response" as const, approval_request_id: request.id, approve: true }
          const second = await client.responses.create({
            model: "bough",
            previous_response_id: first.id,
            input: [answer]
          })
          assert.strictEqual(second.output_text, "All is done.")
          assert.strictEqual((await client.responses.retrieve(second.id)).output_text, "All is done.")
        })
      ),
    thoroughOnly
  )

  it.live("continues after a restart, and a turn reads no earlier entries", () =>
    Effect.promise(() =>
      withModel([{ text: "One" }, { text: "Two" }, { text: "Three" }], ({ env }) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const dataDirectory = yield* Gateway.folder
            const scope = yield* Scope.make()
            const before = yield* Scope.provide(Gateway.start({ dataDirectory, variables: env }), scope)
            const token = yield* Gateway.user(before, "acme/ada")
            const first = yield* Effect.promise(() =>
              clientOf(before, token).responses.create({ model: "bough", input: "1" })
            )
            yield* Scope.close(scope, Exit.void)

            const gateway = yield* Gateway.start({ dataDirectory, variables: env })
            const client = clientOf(gateway, token)
            assert.strictEqual((yield* Effect.promise(() => client.responses.retrieve(first.id))).output_text, "One")
            const second = yield* Effect.promise(() =>
              client.responses.create({ model: "bough", input: "2", previous_response_id: first.id })
            )
            assert.strictEqual(second.output_text, "Two")
            assert.strictEqual(second.metadata?.["bough_session"], first.metadata?.["bough_session"])

            // The session is loaded. A reader of its beginning would now find a journal that fails its digests.
            const database = new DatabaseSync(join(dataDirectory, "sessions", "bough.db"))
            const damaged = database
              .prepare("UPDATE entries SET digest = 'sha256:0' WHERE session_id = ? AND seq = 1")
              .run(first.metadata?.["bough_session"] ?? "")
            database.close()
            assert.strictEqual(damaged.changes, 1)
            const third = yield* Effect.promise(() =>
              client.responses.create({ model: "bough", input: "3", previous_response_id: second.id })
            )
            assert.deepStrictEqual([third.status, third.output_text], ["completed", "Three"])
            const damage = yield* Effect.promise(() => failure(client.responses.retrieve(first.id)))
            assert.instanceOf(damage, Error)
          }).pipe(Effect.scoped)
        )
      )
    )
  )
})

/** Every answer of a server is compared with the document, and an answer that departs from it fails the test. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import * as AnswerCheck from "./AnswerCheck.ts"

/** Serves the requests of `use` by `listener`, and returns the answers that were compared. */
const served = async (
  listener: RequestListener,
  use: (url: string) => Promise<void>
): Promise<AnswerCheck.CheckedAnswers> => {
  const server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const answers = AnswerCheck.begin(port)
  try {
    await use(`http://127.0.0.1:${port}`)
  } finally {
    const closed = once(server, "close")
    server.close()
    server.closeAllConnections()
    await closed
    await answers.end()
  }
  return answers
}

const health = "/health"
const events = "/api/v1/sessions/ses_1/events"

/** Answers with this status and body, in two pieces. */
const answering =
  (status: number, type: string, body: string): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "content-type": type })
    response.write(body.slice(0, 3))
    response.end(Buffer.from(body.slice(3)))
  }

describe("the check of answers", () => {
  it("reports a status, a type, a body and an event that the document does not have", async () => {
    const wrong: ReadonlyArray<readonly [path: string, listener: RequestListener, pattern: RegExp]> = [
      [health, answering(418, "application/json", "{}"), /418/],
      [health, answering(200, "text/html", "<p>well</p>"), /text\/html/],
      [health, answering(200, "application/json", "not JSON"), /not JSON/],
      [events, answering(200, "text/event-stream", ': beat\n\nevent: Delta\ndata: {"_tag":"None"}\n\n'), /None/]
    ]
    for (const [path, listener, pattern] of wrong) {
      const { departures } = await served(listener, async (url) => void (await (await fetch(url + path)).text()))
      assert.lengthOf(departures, 1)
      assert.match(departures[0] ?? "", pattern)
    }
  })

  it("reports a wrong event of a stream that the client leaves", async () => {
    const listener: RequestListener = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write('event: Delta\ndata: {"_tag":"None"}\n\nevent: Del')
    }
    const { departures } = await served(listener, async (url) => {
      const { body } = await fetch(url + events)
      await body?.getReader().read()
    })
    assert.lengthOf(departures, 1)
  })

  it("reports no answer that fits, and none of a path that the document does not have", async () => {
    const { compared, departures } = await served(
      answering(200, "application/json", '{"status":"ok","version":"1.0.0"}'),
      async (url) => {
        await (await fetch(`${url}/no/such/path`)).text()
        await (await fetch(url + health)).text()
      }
    )
    assert.deepStrictEqual(departures, [])
    assert.deepStrictEqual([...compared.values()], [1])
  })
})

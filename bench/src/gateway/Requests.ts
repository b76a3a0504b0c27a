/** The load generator's HTTP: plain node:http with kept-alive connections, so that it uses little of the machine. */
import * as Http from "node:http"
import { check } from "../Check.ts"

const agent = new Http.Agent({ keepAlive: true, maxSockets: 64 })

export interface RequestPlan {
  readonly method?: string
  readonly token: string
  readonly body?: object
}

export interface RequestAnswer<Body> {
  readonly body: Body
  readonly millis: number
}

/** Returns the parsed body of a response that must have that status. */
export const json = async <Body>(
  url: string,
  status: number,
  { body, method, token }: RequestPlan
): Promise<RequestAnswer<Body>> => {
  const startedAtMillis = performance.now()
  const text = body === undefined ? null : JSON.stringify(body)
  const ask = (resolve: (answer: { status: number; text: string }) => void, reject: (error: unknown) => void): void => {
    const request = Http.request(
      url,
      {
        agent,
        method: method ?? (text === null ? "GET" : "POST"),
        headers: {
          authorization: `Bearer ${token}`,
          ...(text === null
            ? {}
            : { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) })
        }
      },
      (response) => {
        let received = ""
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => (received += chunk))
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text: received }))
        response.on("error", reject)
      }
    )
    // The server may close an idle connection just when it is used again.
    request.on("error", (error) => (request.reusedSocket ? ask(resolve, reject) : reject(error)))
    request.end(text ?? undefined)
  }
  const answer = await new Promise<{ status: number; text: string }>(ask)
  const millis = performance.now() - startedAtMillis
  check(answer.status === status, `${url} answered ${answer.status}, not ${status}: ${answer.text.slice(0, 500)}`)
  return { body: JSON.parse(answer.text) as Body, millis }
}

export interface OpenStream {
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
  readonly close: () => void
}

/** Opens a stream of server-sent events and passes on the data of each event as text; resolves at the first event. */
export const stream = (
  url: string,
  token: string,
  use: (data: string, receivedMillis: number) => void
): Promise<OpenStream> =>
  new Promise((resolve, reject) => {
    const request = Http.get(url, { agent: false, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let rest = ""
      let isOpen = false
      const ended = new Promise<void>((end) => response.on("close", end))
      if (response.statusCode !== 200) {
        reject(new Error(`${url} answered ${response.statusCode}`))
        return
      }
      response.setEncoding("utf8")
      response.on("data", (chunk: string) => {
        const nowMillis = performance.timeOrigin + performance.now()
        const text = rest + chunk
        let from = 0
        for (let at = text.indexOf("\n\n"); at !== -1; at = text.indexOf("\n\n", from)) {
          const data = text.indexOf("data: ", from)
          if (data !== -1 && data < at) use(text.slice(data + 6, at), nowMillis)
          from = at + 2
        }
        rest = text.slice(from)
        if (!isOpen) {
          isOpen = true
          resolve({ ended, close: () => request.destroy() })
        }
      })
      response.on("error", () => undefined)
    })
    request.on("error", reject)
  })

/** Runs the work for each item with limited concurrency, and returns the results in order. */
export const many = async <Item, A>(
  items: ReadonlyArray<Item>,
  concurrency: number,
  work: (item: Item, index: number) => Promise<A>
): Promise<ReadonlyArray<A>> => {
  const results: Array<A> = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index], index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  return results
}

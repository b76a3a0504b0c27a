/**
 * The thread of an Embedder: the module of its model, loaded with the first request. It runs as a worker, and must not
 * be imported.
 */
import { parentPort, workerData } from "node:worker_threads"
import type * as EmbeddingModule from "./EmbeddingModule.ts"

export interface Request {
  readonly id: number
  readonly texts: ReadonlyArray<string>
}

export type Reply =
  | ({ readonly id: number; readonly identity: string } & EmbeddingModule.Vectors)
  | { readonly id: number; readonly error: string }

if (parentPort !== null) {
  const port = parentPort
  const { module, options } = workerData as EmbeddingModule.Reference
  let loading: Promise<EmbeddingModule.LoadedModel> | null = null
  port.on("message", ({ id, texts }: Request) => {
    loading ??= import(module).then(({ load }: EmbeddingModule.EmbeddingModule) => load(options))
    loading
      .then(({ embed, identity }) => Promise.resolve(embed(texts)).then((vectors) => ({ ...vectors, identity })))
      .then(({ dimension, identity, vectors }) => {
        const reply: Reply = { id, identity, dimension, vectors }
        return port.postMessage(reply, [vectors.buffer])
      })
      .catch((error: unknown) => {
        const reply: Reply = { id, error: error instanceof Error ? error.message : String(error) }
        port.postMessage(reply)
      })
  })
}

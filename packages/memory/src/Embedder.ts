/**
 * Embeds texts as vectors, in a thread that starts and loads the model with its first request. A light model embeds single
 * short texts, such as a query, in the caller's thread, because starting a thread takes longer.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Worker } from "node:worker_threads"
import type * as EmbeddingModule from "./EmbeddingModule.ts"
import type { Reply, Request } from "./EmbeddingThread.ts"

/** The model cannot be loaded or did not answer; full-text search continues without it. */
export class EmbeddingFailed extends Schema.TaggedError<EmbeddingFailed>()("EmbeddingFailed", {
  message: Schema.String
}) {}

/** A model, such as `EmbeddingStatic.model` or a result of `TransformersModel.make`. */
export interface Model extends EmbeddingModule.Reference {
  /** The model's name for users. */
  readonly name: string
  /**
   * True if the model is pure JavaScript, loads in milliseconds, and embeds a short text in less than one millisecond;
   * default: false.
   */
  readonly isLight?: boolean
}

/** The identity of a model: vectors of the same identity can be compared. */
export interface Identity {
  /** A digest of the model's files, independent of its name and location. */
  readonly modelId: string
  /** The length of a vector. */
  readonly dimension: number
}

export interface Embedder {
  /** Loads the model and returns its identity, which does not change during the embedder's life. */
  readonly identity: Effect.Effect<Identity, EmbeddingFailed>
  /** Returns one vector per text, of length 1; all zeros if the model knows none of its words. */
  readonly embed: (texts: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Float32Array>, EmbeddingFailed>
}

/** The number of texts that the thread takes at once. */
const batchSize = 64
/** The longest text that a light model embeds in the caller's thread, in characters. */
const maxFastLength = 2000
/** The time for one batch once the model is loaded; a download before that has no limit. */
const maxMillis = 120_000
/** The maximum heap of the thread in MB, without memory that the model allocates outside of it. */
const maxHeapMegabytes = 1024

/** Loads the model in this thread and embeds the text. */
const embedInProcess = (loading: Promise<EmbeddingModule.LoadedModel>, text: string): Promise<VectorReply> =>
  loading.then(({ embed, identity }) =>
    Promise.resolve(embed([text])).then((vectors) => ({ id: 0, identity, ...vectors }))
  )

type Waiter = (reply: Reply | EmbeddingFailed) => void

type VectorReply = Extract<Reply, { readonly vectors: Float32Array }>

/** Splits the buffer into vectors of the model's length; numbers that are not finite become 0. */
const vectorsOf = ({ dimension, vectors }: VectorReply) =>
  Array.from({ length: vectors.length / dimension }, (_, index) => {
    const vector = vectors.subarray(index * dimension, (index + 1) * dimension)
    return vector.every(Number.isFinite) ? vector : new Float32Array(dimension)
  })

/** Makes the embedder of this model; the thread ends with the scope. */
export const make = Effect.fnUntraced(function* (model: Model): Effect.fn.Return<Embedder, never, Scope.Scope> {
  let thread: Worker | null = null
  let next = 0
  let loaded: string | null = null
  const waiting = new Map<number, Waiter>()

  /** Ends a thread after a failure; another thread may already have replaced it. */
  const fail = (stopped: Worker, message: string): void => {
    if (thread !== stopped) return
    thread = null
    const failed = [...waiting.values()]
    waiting.clear()
    // This is the last step, because a resumed caller may send another request.
    for (const resume of failed) resume(new EmbeddingFailed({ message }))
  }

  const start = (): Worker => {
    const started = new Worker(new URL(import.meta.resolve("@bough/memory/EmbeddingThread")), {
      workerData: { module: model.module, options: model.options } satisfies EmbeddingModule.Reference,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes }
    })
    started.on("message", (reply: Reply) => {
      const resume = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (waiting.size === 0) started.unref()
      // This is the last step, because a resumed caller may end the thread at once.
      resume?.(reply)
    })
    started.on("error", (error) => fail(started, `the embedding model ${model.name} stopped: ${String(error)}`))
    started.on("exit", () => fail(started, `the embedding model ${model.name} stopped`))
    started.unref()
    return started
  }

  const failure = (reason: string) =>
    new EmbeddingFailed({ message: `the embedding model ${model.name} cannot be used: ${reason}` })
  const unusable = (reason: string) => Effect.fail(failure(reason))

  /** Checks that a reply comes from the same model as the first reply. */
  const checkModel = (vectorReply: VectorReply) => {
    loaded ??= vectorReply.identity
    // A reloaded model may have been loaded from other files.
    return vectorReply.identity === loaded
      ? Effect.succeed(vectorReply)
      : unusable("it was changed while in use: start again")
  }

  let loadedHere: Promise<EmbeddingModule.LoadedModel> | null = null

  const askHere = (text: string) =>
    Effect.tryPromise({
      try: () => {
        loadedHere ??= import(model.module).then(({ load }: EmbeddingModule.EmbeddingModule) => load(model.options))
        return embedInProcess(loadedHere, text)
      },
      catch: (error) => failure(error instanceof Error ? error.message : String(error))
    }).pipe(Effect.flatMap(checkModel))

  const askThread = (texts: ReadonlyArray<string>) =>
    Effect.callback<VectorReply, EmbeddingFailed>((resume) => {
      thread ??= start()
      const request: Request = { id: next++, texts }
      waiting.set(request.id, (reply) => {
        if (reply instanceof EmbeddingFailed) return resume(Effect.fail(reply))
        if ("error" in reply) return resume(unusable(reply.error))
        return resume(checkModel(reply))
      })
      thread.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage(request)
      return Effect.sync(() => void waiting.delete(request.id))
    }).pipe((asking) =>
      Effect.suspend(() =>
        loaded === null ? asking : Effect.timeoutOrElse(asking, { duration: maxMillis, orElse: stop })
      )
    )

  const ask = (texts: ReadonlyArray<string>) =>
    model.isLight === true && texts.length === 1 && texts[0].length <= maxFastLength
      ? askHere(texts[0])
      : askThread(texts)

  /** Ends a thread that no longer replies, with all requests that wait for it. */
  const stop = () =>
    Effect.suspend(() => {
      const stuck = thread
      if (stuck !== null) {
        fail(stuck, `the embedding model ${model.name} did not answer for ${maxMillis / 1000} s`)
        void stuck.terminate()
      }
      return unusable(`it did not answer for ${maxMillis / 1000} s`)
    })

  yield* Effect.addFinalizer(() =>
    Effect.promise(() => {
      // Without this, an otherwise idle process would exit before the thread has ended.
      thread?.ref()
      return thread?.terminate() ?? Promise.resolve(0)
    })
  )
  return {
    identity: Effect.map(ask(["dimension"]), ({ dimension, identity }) => ({ modelId: identity, dimension })),
    embed: (texts) => {
      const batches = Array.from({ length: Math.ceil(texts.length / batchSize) }, (_, index) =>
        texts.slice(index * batchSize, (index + 1) * batchSize)
      )
      return Effect.map(Effect.forEach(batches, ask), (replies) => replies.flatMap(vectorsOf))
    }
  }
})

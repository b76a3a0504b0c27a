/** The thread of an Embedder: transformers.js, loaded with the first request. Run as a worker; not to be imported. */
import type * as Transformers from "@huggingface/transformers"
import type { FeatureExtractionPipeline } from "@huggingface/transformers"
import { parentPort, workerData } from "node:worker_threads"

/** Where transformers.js finds the model. */
export interface ModelFiles {
  /** Such as `Xenova/all-MiniLM-L6-v2`, below `localFolder` or on the hub. */
  readonly name: string
  /** A path; null: there is none. */
  readonly localFolder: string | null
  /** What is downloaded is kept here; null: nothing is downloaded. */
  readonly cacheFolder: string | null
  readonly dtype: "fp32" | "fp16" | "q8"
}

export interface Request {
  readonly id: number
  readonly texts: ReadonlyArray<string>
}

/** `vectors` are one after another, each `dimension` numbers long. */
export type Reply =
  | { readonly id: number; readonly dimension: number; readonly vectors: Float32Array }
  | { readonly id: number; readonly error: string }

/** Optional: its runtime fetches a part of itself when it is installed, which fails behind some networks. */
const transformers = (): Promise<typeof Transformers> =>
  import("@huggingface/transformers").catch((error: unknown) => {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND"
    throw isMissing
      ? new Error(
          "@huggingface/transformers, which models run by, is not installed; ONNXRUNTIME_NODE_INSTALL=skip helps"
        )
      : error
  })

const load = ({ cacheFolder, dtype, localFolder, name }: ModelFiles): Promise<FeatureExtractionPipeline> =>
  transformers().then(({ env, pipeline }) => {
    env.allowLocalModels = localFolder !== null
    if (localFolder !== null) env.localModelPath = localFolder
    env.allowRemoteModels = cacheFolder !== null
    if (cacheFolder !== null) env.cacheDir = cacheFolder
    return pipeline("feature-extraction", name, { dtype, device: "cpu" })
  })

if (parentPort !== null) {
  const port = parentPort
  const { files } = workerData as { readonly files: ModelFiles }
  let loading: Promise<FeatureExtractionPipeline> | null = null
  port.on("message", ({ id, texts }: Request) => {
    loading ??= load(files)
    loading
      .then((extract) => extract([...texts], { pooling: "mean", normalize: true }))
      .then((tensor) => {
        const vectors = Float32Array.from(tensor.data as ArrayLike<number>)
        const reply: Reply = { id, dimension: tensor.dims.at(-1) ?? 0, vectors }
        return port.postMessage(reply, [vectors.buffer])
      })
      .catch((error: unknown) => {
        const reply: Reply = { id, error: error instanceof Error ? error.message : String(error) }
        port.postMessage(reply)
      })
  })
}

/** What the thread of an Embedder runs: a module that loads a model. */

/** Of several texts, one after another, each `dimension` numbers long, of length 1 or all zeros. The buffer is given away. */
export interface Vectors {
  readonly dimension: number
  readonly vectors: Float32Array<ArrayBuffer>
}

export type Embed = (texts: ReadonlyArray<string>) => Vectors | Promise<Vectors>

export interface Loaded {
  /** Of all that its vectors are made of, and of nothing else: two models that have the same give the same vectors. */
  readonly identity: string
  readonly embed: Embed
}

export interface EmbeddingModule {
  readonly load: (options: unknown) => Loaded | Promise<Loaded>
}

/** A module by its URL, and what its `load` is given: anything that can be sent to a thread. */
export interface Reference {
  readonly module: string
  readonly options: unknown
}

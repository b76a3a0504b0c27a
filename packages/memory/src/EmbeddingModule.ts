/** The contract of a module that an Embedder's thread runs: it loads a model. */

/**
 * The vectors of several texts, one after another, each of `dimension` numbers, and of length 1 or all zeros. The
 * buffer is transferred.
 */
export interface Vectors {
  readonly dimension: number
  readonly vectors: Float32Array<ArrayBuffer>
}

export type Embed = (texts: ReadonlyArray<string>) => Vectors | Promise<Vectors>

export interface LoadedModel {
  /** A digest of everything that the vectors depend on: two models with the same identity make the same vectors. */
  readonly identity: string
  readonly embed: Embed
}

export interface EmbeddingModule {
  readonly load: (options: unknown) => LoadedModel | Promise<LoadedModel>
}

/** A module by its URL, and the argument of its `load`: any value that can be sent to a thread. */
export interface Reference {
  readonly module: string
  readonly options: unknown
}

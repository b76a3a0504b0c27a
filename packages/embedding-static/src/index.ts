/** A small English embedding model that needs no download: this is the reference to the module that runs it. */

/** The length of a vector. */
export const dimension = 100

/** The model in the form for `Embedder.make`. */
export const model = {
  name: "static",
  module: import.meta.resolve("@bough/embedding-static/StaticModel"),
  options: null,
  isLight: true
}

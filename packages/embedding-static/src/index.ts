/** A small English embedding model that needs no download: the module that runs it. */

/** Numbers of a vector. */
export const dimension = 100

/** As `Embedder.make` takes it. */
export const model = {
  name: "static",
  module: import.meta.resolve("@bough/embedding-static/StaticModel"),
  options: null,
  isLight: true
}

/** A small English embedding model that needs no download: what it is called, and the module that runs it. */

/** Numbers of a vector. */
export const dimension = 100

/** As `Embedder.make` takes it. `id` is stored with every vector that it made: another model's are made anew. */
export const model = {
  id: "bough-static-100d-1",
  name: "static",
  module: import.meta.resolve("@bough/embedding-static/StaticModel"),
  options: null
}

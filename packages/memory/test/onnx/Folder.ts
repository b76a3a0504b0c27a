/** The embedded model as transformers.js takes it: a folder with a tokenizer, its settings and an ONNX file. */
import { dimension } from "@bough/embedding-static"
import * as Table from "@bough/embedding-static/Table"
import { longestText } from "@bough/embedding-static/Words"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Graph from "./Graph.ts"

const unknown = "[UNK]"

const tokenizerOf = (words: ReadonlyArray<string>) => ({
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: [
    { id: 0, content: unknown, special: true, single_word: false, lstrip: false, rstrip: false, normalized: false }
  ],
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
    vocab: Object.fromEntries([unknown, ...words].map((word, id) => [word, id])),
    unk_token: unknown
  }
})

/** Makes a table in which two words have swapped their meanings. */
export const exchanging = (left: string, right: string): Table.Table => {
  const table = Table.load()
  const others = new Map([
    [left, right],
    [right, left]
  ])
  return { ...table, words: table.words.map((word) => others.get(word) ?? word) }
}

/** `apart`: the file beside the graph that contains a part of the weights; null: there is none. */
export const write = (folder: string, table: Table.Table = Table.load(), apart: string | null = null): void => {
  const json = {
    "tokenizer.json": tokenizerOf(table.words),
    "tokenizer_config.json": {
      tokenizer_class: "PreTrainedTokenizer",
      unk_token: unknown,
      pad_token: unknown,
      model_max_length: longestText
    },
    "config.json": {
      model_type: "bert",
      architectures: ["BertModel"],
      hidden_size: dimension,
      vocab_size: table.words.length + 1
    }
  }
  mkdirSync(join(folder, "onnx"), { recursive: true })
  for (const [name, content] of Object.entries(json)) writeFileSync(join(folder, name), JSON.stringify(content))
  writeFileSync(join(folder, "onnx", "model.onnx"), Graph.model(table, apart))
  if (apart !== null) writeFileSync(join(folder, "onnx", apart), Graph.scalesOf(table))
}

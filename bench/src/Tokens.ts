/**
 * The cost of results for a model: the tokens of the text that it reads, compared with the same result as plain text.
 */
import { Tiktoken } from "js-tiktoken/lite"
import o200k from "js-tiktoken/ranks/o200k_base"
import { atMost, type Benchmark, figure, type Report } from "./Benchmark.ts"
import { type ModelText, modelTexts } from "./tokens/ModelTexts.ts"

/** The aim for a result's cost, as a multiple of the plain text. */
export const maxRatio = 1.1

export interface TokenCost extends ModelText {
  readonly tokens: number
  readonly plainTokens: number
  readonly ratio: number
}

/** Measures the costs. `folder` is an empty directory. */
export const tokenCosts = async (folder: string): Promise<ReadonlyArray<TokenCost>> => {
  const tokenizer = new Tiktoken(o200k)
  const count = (text: string): number => tokenizer.encode(text, [], []).length
  return (await modelTexts(folder)).map((one) => {
    const [tokens, plainTokens] = [count(one.shown), count(one.plain)]
    return { ...one, tokens, plainTokens, ratio: tokens / plainTokens }
  })
}

const run: Benchmark["run"] = async ({ folder }): Promise<Report> => ({
  rows: (await tokenCosts(folder)).map(({ label, plainTokens, ratio, tokens }) => ({
    label,
    ratio,
    figures: [figure("tokens", tokens, "tokens"), figure("plain", plainTokens, "tokens")],
    aim: atMost(ratio, maxRatio, `≤ ${maxRatio} × plain text`)
  })),
  notes: [
    "Tokens of o200k_base. Plain text is what `cat -n`, `rg -n` and `ls -p` write, and what a command prints; of an edit, the sentence alone.",
    "Each result comes from its tool through the dispatcher, on real files and a real command."
  ],
  notMeasured: []
})

export const benchmark: Benchmark = { name: "tokens", title: "What a model reads of a result", run }

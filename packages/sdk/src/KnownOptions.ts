/** Reports misspelt and mistyped options of `open`, which a program without types could pass. */
import * as Predicate from "effect/Predicate"
import type { OpenOptions } from "./Options.ts"

const known: Readonly<Record<keyof OpenOptions, true>> = {
  root: true,
  approve: true,
  rules: true,
  execution: true,
  environment: true,
  secrets: true,
  network: true,
  memory: true,
  channel: true,
  provide: true,
  user: true,
  onReceipt: true
}

/** Returns the reason why these options cannot be used; null: `open` has all of them. */
export const fault = (options: object): string | null => {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name))
  return unknown === undefined
    ? mistyped(options)
    : `open has no option ${JSON.stringify(unknown)}; its options are ${Object.keys(known).join(", ")}`
}

const isFunction = (value: unknown): boolean => typeof value === "function"

const isListOf =
  (isItem: (item: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isItem)

const isText = (value: unknown): boolean => typeof value === "string"

const isProvision = (item: unknown): boolean =>
  typeof item === "object" && item !== null && "capability" in item && "provided" in item

/** The form of each option, and the sentence about another form; `root` and `rules` are checked where they are used. */
const forms: ReadonlyArray<readonly [name: keyof OpenOptions, fits: (value: unknown) => boolean, form: string]> = [
  ["approve", isFunction, "a function, as in (request) => true"],
  ["channel", isFunction, "a function, as in (text) => console.log(text)"],
  ["onReceipt", isFunction, "a function, as in (receipt) => console.log(receipt)"],
  ["provide", isListOf(isProvision), "a list of provisions, as in [Capability.provide(Database, database)]"],
  ["secrets", isListOf(isText), 'a list of texts, as in ["a key"]'],
  ["user", isText, 'a text, as in "ann"'],
  ["environment", Predicate.isReadonlyObject, "an object of variables, as in process.env"],
  ["network", Predicate.isReadonlyObject, "an object; {} opens public hosts"],
  ["execution", Predicate.isReadonlyObject, "an object of settings of the sandbox"],
  ["memory", Predicate.isReadonlyObject, 'an object, as in { directory: "/home/ann/.bough" }']
]

const mistyped = (options: object): string | null => {
  const optionsByName = new Map<string, unknown>(Object.entries(options))
  const wrong = forms.find(([name, fits]) => optionsByName.get(name) !== undefined && !fits(optionsByName.get(name)))
  return wrong === undefined ? null : `open: ${wrong[0]} must be ${wrong[2]}`
}

/**
 * The language of the sources: names, texts for users, comments and titles follow CONTRIBUTING.md. Each rule is tried
 * on words that break it, so that a rule without findings is known to work.
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Language from "./language.ts"
import { files, text } from "./repository.ts"

const generated = "packages/client/src/Schema.ts"

const sources = files.filter(
  (file) =>
    /^(?:(?:apps|packages)\/[^/]+\/(?:src|build)|apps\/gateway\/page|build|examples)\/.*\.tsx?$/.test(file) &&
    file !== generated
)

/** Sources with texts for users; the offline planner reads English, and engineers read testing kits. */
const isForUsers = (file: string): boolean => !/^packages\/(?:offline-planner|testing)\/|\/src\/testing\//.test(file)

const parse = (file: string): Language.Source => Language.parse(file, text(file))

/** Emptied at the end, because these 300 MB would stay in the process of the tests that follow. */
const parsed = sources.map(parse)
afterAll(() => void parsed.splice(0))

const faultsOf = (of: (source: Language.Source) => ReadonlyArray<string>): ReadonlyArray<string> => parsed.flatMap(of)

describe("language", () => {
  it("finds the sources", () => {
    assert.isAbove(sources.length, 500)
    assert.isAbove(faultsOf(Language.docComments).length, 2_000)
    assert.isAbove(parsed.slice(0, 200).flatMap(Language.exportedNames).length, 300)
  })

  it("exports no name without a meaning of its own, and none with a banned word", () => {
    assert.deepStrictEqual(faultsOf(Language.badNames), [])
  })

  it("declares no variable, type or field with a banned word", () => {
    assert.deepStrictEqual(faultsOf(Language.badDeclarations), [])
  })

  it("declares no variable, type or field named by the origin of its value", () => {
    assert.deepStrictEqual(faultsOf(Language.vagueDeclarations), [])
  })

  it("exports no type named by a participle, and no value named by a preposition or an adverb alone", () => {
    assert.deepStrictEqual(faultsOf(Language.participles), [])
  })

  it("has no banned word in a text for users", () => {
    assert.deepStrictEqual(parsed.filter(({ file }) => isForUsers(file)).flatMap(Language.badTexts), [])
  })

  it("names the program in no text of the command line, except in hints, where its name is replaced, and about bough itself", () => {
    const ofHints =
      /^apps\/cli\/src\/(?:Failures|command-line\/CommandSpec|policy\/ActiveRules|notes\/NoteById|session\/JudgeCall|io\/ConfigValue|mcp\/LoginAt)\.ts$/
    const found = parsed.filter(({ file }) => file.startsWith("apps/cli/src/")).flatMap(Language.fixedNames)
    assert.deepStrictEqual(
      found.filter((text) => !ofHints.test(text.slice(0, text.indexOf(":")))),
      []
    )
    assert.isAbove(found.length, 10)
  })

  it("begins no line comment with a free relative, and has no banned word in one", () => {
    assert.deepStrictEqual(faultsOf(Language.badLineComments), [])
  })

  it("begins no doc comment with a preposition or a free relative, and has no banned word in one", () => {
    assert.deepStrictEqual(faultsOf(Language.badComments), [])
  })
})

describe("comments and names of tests and benchmarks", () => {
  const isTest = (file: string): boolean =>
    /(?:^|\/)(?:test|bench)\/.*\.tsx?$/.test(file) && !file.includes("/fixtures/")

  it("begin with no preposition or free relative, and have no banned word", () => {
    // The comments of language.ts show the words that it bans.
    const tests = files.filter((file) => isTest(file) && file !== "test/language.ts")
    assert.isAbove(tests.length, 700)
    const parsedTests = tests.map(parse)
    assert.deepStrictEqual(parsedTests.flatMap(Language.badComments), [])
    assert.deepStrictEqual(parsedTests.flatMap(Language.badLineComments), [])
    assert.deepStrictEqual(parsedTests.flatMap(Language.badDeclarations), [])
  })
})

describe("titles of tests", () => {
  const tests = files.filter((file) => /\.test\.ts$|\/src\/testing\/.*\.ts$/.test(file)).map(parse)

  it("are searched in every file", () => {
    assert.isAbove(tests.length, 700)
  })

  it("finds the titles", () => {
    assert.isAbove(tests.slice(0, 100).flatMap(Language.titles).length, 500)
  })

  it("have no banned word", () => {
    assert.deepStrictEqual(tests.flatMap(Language.badTitles), [])
  })
})

describe("the rules of language", () => {
  const source = (code: string): Language.Source => Language.parse("example.ts", code)

  it.each([
    ["export const of = 1", ["example.ts:1 of"]],
    ["export type Options = {}", ["example.ts:1 Options"]],
    ["export interface State {}\nexport class Asked {}", ["example.ts:1 State", "example.ts:2 Asked"]],
    ["const Found = 1\nexport { Found }", ["example.ts:2 Found"]],
    ["const one = 1\nexport { one as Place }", ["example.ts:2 Place"]],
    ["export const nobodyWaits = 1", ["example.ts:1 nobodyWaits"]],
    [
      "export const heedSignals = 1\nexport function lookBack() {}",
      ["example.ts:1 heedSignals", "example.ts:2 lookBack"]
    ],
    ["export const { of } = table", ["example.ts:1 of"]],
    ["export const often = 1\nexport type PromptOptions = {}\nconst of = 1", []]
  ])("names of %s", (code, expected) => {
    assert.deepStrictEqual(Language.badNames(source(code)), expected)
  })

  it.each([
    ["const mostRows = 1\nfunction lookBack() {}", ["example.ts:1 mostRows", "example.ts:2 lookBack"]],
    [
      "interface A { readonly isPutAside: boolean }\nconst [nobody] = list",
      ["example.ts:1 isPutAside", "example.ts:2 nobody"]
    ],
    ["const mostly = 1\nconst { mostRows } = limits\nconst a = { mostRows: 1 }", ["example.ts:2 mostRows"]],
    ["interface B { readonly tell: () => void }\nconst tellAll = 1", ["example.ts:1 tell", "example.ts:2 tellAll"]],
    ["const maxRows = 1", []]
  ])("declarations of %s", (code, expected) => {
    assert.deepStrictEqual(Language.badDeclarations(source(code)), expected)
  })

  it("vague declarations", () => {
    const code = "const made = []\nconst { a: given } = b\nconst remade = made\ninterface A { readonly begun: number }"
    assert.deepStrictEqual(Language.vagueDeclarations(source(code)), [
      "example.ts:1 made",
      "example.ts:2 given",
      "example.ts:4 begun"
    ])
  })

  it.each([
    ["export interface Saved {}\nexport type Sent = string", ["example.ts:1 Saved", "example.ts:2 Sent"]],
    ["export class Watching {}\nexport const because = 1", ["example.ts:1 Watching", "example.ts:2 because"]],
    ["export type SavedNote = {}\nexport type Encoding = string\ninterface Saved {}\nconst until = 1", []]
  ])("participles of %s", (code, expected) => {
    assert.deepStrictEqual(Language.participles(source(code)), expected)
  })

  it.each([
    ['say("nobody is here")', ["example.ts:1 nobody is here"]],
    ["say(`${name} was put aside`)", ["example.ts:1 … was put aside"]],
    ["say(`a ${isB ? `or ${nobody} or somebody` : mend} c`)", ["example.ts:1 or … or somebody"]],
    ['import x from "./mend/it.ts"\nconst kind = "mend"', []],
    [
      'say("nothing came of the call, which is held to its digest")',
      ["example.ts:1 nothing came of the call, which is held to its digest"]
    ],
    ["say(`${path} is no file`)", ["example.ts:1 … is no file"]],
    ['say("there is no file, and it is no longer needed")', []],
    ['say("the engine is recommended")', []]
  ])("texts of %s", (code, expected) => {
    assert.deepStrictEqual(Language.badTexts(source(code)), expected)
  })

  it.each([
    ['it("nobody asks", () => {})', ["example.ts:1 nobody asks"]],
    ['describe("x", () => { it.effect(`${a} is put aside`, () => {}) })', ["example.ts:1 … is put aside"]],
    ['it.each([1])("goes on with %s", () => {})', ["example.ts:1 goes on with %s"]],
    ['it("says what is wrong", () => {})', ["example.ts:1 says what is wrong"]],
    ['it("refuses what is no number", () => {})', ["example.ts:1 refuses what is no number"]],
    ['it("says how to continue", () => {})', []],
    ['const it = 1\nsay("nobody asks")', []]
  ])("titles of %s", (code, expected) => {
    assert.deepStrictEqual(Language.badTitles(source(code)), expected)
  })

  it.each([
    ["// What was written is kept.\nconst a = 1", 1],
    ["// Of a repeated header the first value counts.\nconst a = 1", 1],
    ["// The list is read,\n// and nobody reads it again.\nconst a = 1", 1],
    ["// Other work\n// goes on.\nconst a = 1", 1],
    ["// Without a root element, the parser makes no body.\nconst a = 1", 0],
    ["// oxlint-disable-next-line x -- the encoded side is whatever the file holds\nconst a = 1", 0]
  ])("line comments of %s", (code, expected) => {
    assert.lengthOf(Language.badLineComments(source(code)), expected)
  })

  it.each([
    ["/** Of a call that ended. */\nconst a = 1", 1],
    ["/**\n * Whether it is open.\n */\nconst a = 1", 1],
    ["/** What is kept of a text. */\nconst a = 1", 1],
    ["/** True if somebody waits. */\nconst a = 1", 1],
    ["/** The model. Left out: none. */\nconst a = 1", 1],
    ["/** Cuts a text. What is left is dropped. */\nconst a = 1", 1],
    ["/** Returns the message that came of a call. */\nconst a = 1", 1],
    ["/** Returns the reason. The state says what is left. */\nconst a = 1", 1],
    ["/** The most bytes of a text. */\nconst a = 1", 1],
    ["/** True if the file is gone. */\nconst a = 1", 1],
    ["/** Returns null if the text is no number. */\nconst a = 1", 1],
    ["/** Decides by the present state of the file. */\nconst a = 1", 1],
    ["/** Returns null if there is no number. The most common word is first. */\nconst a = 1", 0],
    ["/** `n`: for each of them. */\nconst a = 1", 0],
    ["/** Forwards the call; format of the reply. */\nconst a = 1", 0],
    ["/* Of no doc comment */\nconst a = '/** Of a text */'", 0]
  ])("comments of %s", (code, expected) => {
    assert.lengthOf(Language.badComments(source(code)), expected)
  })
})

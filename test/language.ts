/** The rules of CONTRIBUTING.md on language that a program can check: names, texts for users, comments and titles. */
import { parseSync } from "vite"

export interface Source {
  readonly file: string
  readonly text: string
  /** Read when it is first needed: most rules are about comments. */
  readonly program: unknown
  readonly comments: ReadonlyArray<{
    readonly type: string
    readonly value: string
    readonly start: number
    readonly end: number
  }>
}

export const parse = (file: string, text: string): Source => {
  const parsed = parseSync(file, text)
  const { comments, errors } = parsed
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  return {
    file,
    text,
    comments,
    get program() {
      return parsed.program
    }
  }
}

/** Words that have a standard term in the glossary, or hide who acts. */
const banned =
  /\b(?:whoever|whomever|nobody|somebody|anybody|wish(?:es|ed)?|heed(?:s|ed)?|mend(?:s|ed|ing)?|grave|anew|(?:puts?|putting) aside|look(?:s|ed|ing)? back|(?:came|comes?) of|(?:is|are|was|were) held to|tak(?:es?|en|ing) down|in vain|at the word of)\b/iu

/** Phrases with a plain verb (continue, release), in comments and titles. */
const loose = /\b(?:lets? go|go(?:es|ing|ne)? on)\b/iu

/** Phrases of titles that have a more exact verb: report, name, continue, exist. */
const vague =
  /\b(?:says? (?:what|who)|tells? (?:what|who|how|of)|what (?:is|was|there|they|it)|is given what|of one's own|side by side|as (?:it|they) (?:is|are|was|were)$)\b/iu

/** "X is no file" in place of "X is not a file". */
const noNoun = /(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more|less|larger)\w+/iu

/** Phrases of comments that a plain word replaces: missing, any, the reason, the maximum number, current, lowest. */
const indirect =
  /\b(?:is|are|was|were) (?:gone|handed)\b|\bwhatever\b|\b(?:says?|tells?) (?:what|why|how|who)\b|\bof (?:our|one's) own\b|^The most \w+ (?:of|that|in|per)\b|\bmildest\b|\bthe part that is done\b|\bpresent (?:state|content|file|configuration)\b/iu

/** Exported names without a meaning outside of their module. */
const bare = new Set(["of", "Options", "Place", "State", "Found", "Answer", "Asked", "Opened"])

/** Types named by a participle, where a noun says what the value is: `SaveResult` for "Saved". */
const participle =
  /^(?:[A-Z][a-z]+(?:ed|ing)|Sent|Said|Spent|Written|Taken|Kept|Told|Given|Held|Shown|Known|Lost|Left|Chosen|Done|Gone|Before|After|Ahead|Look)$/u

/** Nouns, and errors named after the standard of their protocol. */
const nouns = new Set(
  "Embed Encoding Expected Keyring Listing Sampling Setting Streaming Timing Unauthenticated Forbidden".split(" ")
)

/** Prepositions and adverbs as the name of an exported value: a caller reads them without their object. */
const withoutObject =
  /^(?:on|into|until|during|because|between|again|alone|apart|together|afterwards|beside|ahead|instead|perhaps|something|nowhere)$/u

/** Prepositions and free relatives: a sentence that begins with one has the identifier as its hidden subject. */
const openings = new Set(
  "of for from to with without whether by upon among beside besides between below above under within what whatever whatsoever whoever who whom whose".split(
    " "
  )
)

/** Free relatives that begin a later sentence or clause, whose object has a name, and a fragment for the term "absent". */
const relative = /[.;:] (?:What|Whatever|Who|Whoever|Whom|Whose) |(?:^|[.;] )Left out: /u

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { readonly type?: unknown }).type === "string"

const childrenOf = (node: Node): ReadonlyArray<readonly [key: string, child: Node]> =>
  Object.entries(node).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isNode).map((child) => [key, child] as const)
  )

interface Visited {
  readonly node: Node
  /** The field of its parent. */
  readonly key: string
  /** False in an import, an export of a module and a type, whose literals are no texts. */
  readonly mayBeText: boolean
}

const visited = new WeakMap<Source, ReadonlyArray<Visited>>()

/** Returns the nodes of a source, parents first; they are collected once. */
const nodesOf = (source: Source): ReadonlyArray<Visited> => {
  const known = visited.get(source)
  if (known !== undefined) return known
  const found: Array<Visited> = []
  const visit = (node: Node, key: string, isText: boolean): void => {
    const mayBeText = isText && !/^Import|^ExportAll|^TSLiteralType$/u.test(node.type)
    found.push({ node, key, mayBeText })
    for (const childKey in node) {
      const value = node[childKey]
      if (Array.isArray(value)) {
        for (const child of value) if (isNode(child)) visit(child, childKey, mayBeText)
      } else if (isNode(value)) visit(value, childKey, mayBeText)
    }
  }
  visit(source.program as Node, "program", true)
  visited.set(source, found)
  return found
}

const at = ({ file, text }: Source, start: number): string => `${file}:${text.slice(0, start).split("\n").length}`

/** `heedSignals` as "heed Signals". */
const wordsOf = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, " ").replaceAll("_", " ")

interface Named {
  readonly name: string
  readonly start: number
}

const nameOf = (node: unknown): ReadonlyArray<Named> => {
  if (!isNode(node)) return []
  switch (node.type) {
    case "Identifier":
      return [{ name: String(node["name"]), start: node.start }]
    case "Literal":
      return [{ name: String(node["value"]), start: node.start }]
    case "ObjectPattern":
      return childrenOf(node).flatMap(([, property]) => nameOf(property["value"] ?? property["argument"]))
    case "ArrayPattern":
      return childrenOf(node).flatMap(([, element]) => nameOf(element))
    case "AssignmentPattern":
      return nameOf(node["left"])
    default:
      return []
  }
}

const declared = (node: unknown): ReadonlyArray<Named> => {
  if (!isNode(node)) return []
  return node.type === "VariableDeclaration"
    ? childrenOf(node).flatMap(([, declarator]) => nameOf(declarator["id"]))
    : nameOf(node["id"])
}

const exported = ({ program }: Source): ReadonlyArray<Named> =>
  (program as { readonly body: ReadonlyArray<Node> }).body.flatMap((node) => {
    if (node.type === "ExportAllDeclaration") return nameOf(node["exported"])
    if (node.type !== "ExportNamedDeclaration") return []
    const specifiers = childrenOf(node).filter(([key]) => key === "specifiers")
    return [...declared(node["declaration"]), ...specifiers.flatMap(([, specifier]) => nameOf(specifier["exported"]))]
  })

export const exportedNames = (source: Source): ReadonlyArray<string> => exported(source).map(({ name }) => name)

/** Names with a usual form: `maxRows`, `minBytes`; `notify`, `report`, `publish`. */
const unusual = /^(?:most|least|tell)[A-Z]|^tell$/u

/** Variables, functions, types, and the fields of types, whether they are exported or not. */
const declaredNames = (source: Source): ReadonlyArray<Named> =>
  nodesOf(source).flatMap(({ node }) => {
    if (declarations.has(node.type)) return nameOf(node["id"])
    return signatures.has(node.type) ? nameOf(node["key"]) : []
  })

const declarations = new Set([
  "VariableDeclarator",
  "FunctionDeclaration",
  "ClassDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration"
])
const signatures = new Set(["TSPropertySignature", "TSMethodSignature"])

// These expressions find candidates in the text of a file: making the syntax tree takes far longer than comments do.
const bannedInNames = banned.source.replaceAll(String.raw`\b`, "").replaceAll(" ", "_?")
const candidateDeclaration = new RegExp(String.raw`\b(?:most|least|tell)|${bannedInNames}`, "iu")
const candidateBare = new RegExp(String.raw`^export\b[^=]*?\b(?:${[...bare].join("|")})\b`, "mu")
const candidateBanned = new RegExp(bannedInNames, "iu")

export const badDeclarations = (source: Source): ReadonlyArray<string> =>
  (candidateDeclaration.test(source.text) ? declaredNames(source) : [])
    .filter(({ name }) => unusual.test(name) || banned.test(wordsOf(name)))
    .map(({ name, start }) => `${at(source, start)} ${name}`)

/** Names of the origin of a value, in place of its meaning. */
const origin = /^(?:made|given|begun|meant|took|sought|beyond)$/u
const candidateOrigin = new RegExp(String.raw`\b${origin.source.slice(1, -1)}\b`, "u")

export const vagueDeclarations = (source: Source): ReadonlyArray<string> =>
  (candidateOrigin.test(source.text) ? declaredNames(source) : [])
    .filter(({ name }) => origin.test(name))
    .map(({ name, start }) => `${at(source, start)} ${name}`)

const exportedTypes = ({ program }: Source): ReadonlyArray<Named> =>
  (program as { readonly body: ReadonlyArray<Node> }).body.flatMap((node) => {
    const declaration = node["declaration"]
    return isNode(declaration) && exportableTypes.has(declaration.type) ? nameOf(declaration["id"]) : []
  })

const exportableTypes = new Set(["TSInterfaceDeclaration", "TSTypeAliasDeclaration", "ClassDeclaration"])

/** Exported types named by a participle, and exported values named by a preposition or an adverb alone. */
export const participles = (source: Source): ReadonlyArray<string> =>
  [
    ...exportedTypes(source).filter(({ name }) => participle.test(name) && !nouns.has(name)),
    ...exported(source).filter(({ name }) => withoutObject.test(name))
  ].map(({ name, start }) => `${at(source, start)} ${name}`)

export const badNames = (source: Source): ReadonlyArray<string> =>
  (candidateBare.test(source.text) || candidateBanned.test(source.text) ? exported(source) : [])
    .filter(({ name }) => bare.has(name) || banned.test(wordsOf(name)))
    .map(({ name, start }) => `${at(source, start)} ${name}`)

/** Texts of at least two words: a single one is a key, a tag or a path. */
/** `candidate`: matches the text of a file that may have such a text. */
const texts = (source: Source, candidate: RegExp): ReadonlyArray<Named> =>
  (candidate.test(source.text) ? nodesOf(source) : [])
    .flatMap(({ key, mayBeText, node }) => {
      if (!mayBeText) return []
      if (node.type === "TemplateLiteral") return [{ name: templateText(node), start: node.start }]
      const { start, type, value } = node
      return type === "Literal" && typeof value === "string" && key !== "key" ? [{ name: value, start }] : []
    })
    .filter(({ name }) => /\S\s+\S/u.test(name) && !forPrograms.test(name))

/** Text for programs: a stored schema, whose comments must not change, and a file of accounts. */
const forPrograms = /\b(?:CREATE|ALTER) TABLE\b|^nobody:x:/mu

/** Leaves out the code inside `${…}`, whose own texts are visited separately. */
const templateText = (node: Node): string =>
  childrenOf(node)
    .filter(([key]) => key === "quasis")
    .map(([, { value }]) => (value as { readonly cooked: string | null }).cooked ?? "")
    .join("…")

const badText = new RegExp(`${banned.source}|${noNoun.source}`, "iu")

export const badTexts = (source: Source): ReadonlyArray<string> =>
  texts(source, badText)
    .filter(({ name }) => badText.test(name))
    .map(({ name, start }) => `${at(source, start)} ${name}`)

/** Commands of `bough` in texts: a program that is built with other packs has another name. */
export const fixedNames = (source: Source): ReadonlyArray<string> =>
  texts(source, /bough /u)
    .filter(({ name }) => /(?<![\w.@/-])bough (?=[a-z-]|…)/u.test(name))
    .map(({ name, start }) => `${at(source, start)} ${name}`)

interface DocComment {
  readonly sentence: string
  readonly start: number
}

/** Joins the lines of a comment that is written as consecutive `//` lines; directives of tools are left out. */
const lineComments = (source: Source): ReadonlyArray<DocComment> => {
  const found: Array<{ sentence: string; start: number; end: number }> = []
  for (const { end, start, type, value } of source.comments) {
    if (type !== "Line" || /^\s*(?:oxlint-|@ts-|\/)/u.test(value)) continue
    const last = found.at(-1)
    if (last !== undefined && /^[ \t]*\n[ \t]*$/u.test(source.text.slice(last.end, start))) {
      last.sentence = `${last.sentence} ${value.trim()}`
      last.end = end
    } else found.push({ sentence: value.trim(), start, end })
  }
  return found
}

const comments = (source: Source): ReadonlyArray<DocComment> =>
  source.comments
    .filter(({ type, value }) => type === "Block" && value.startsWith("*"))
    .map(({ start, value }) => ({
      sentence: value
        .replaceAll(/^[\s*]+/gmu, "")
        .replaceAll(/\s+/gu, " ")
        .trim(),
      start
    }))

export const docComments = (source: Source): ReadonlyArray<string> => comments(source).map(({ sentence }) => sentence)

const isBad = ({ sentence }: DocComment): boolean =>
  openings.has((/^[A-Za-z]+/u.exec(sentence)?.[0] ?? "").toLowerCase()) ||
  relative.test(sentence) ||
  loose.test(sentence) ||
  indirect.test(sentence) ||
  noNoun.test(sentence) ||
  banned.test(sentence)

export const badComments = (source: Source): ReadonlyArray<string> =>
  comments(source)
    .filter(isBad)
    .map(({ sentence, start }) => `${at(source, start)} ${sentence}`)

/** A line comment may begin with a preposition, whose clause follows, but not with "of" or a free relative. */
const isBadLine = ({ sentence }: DocComment): boolean =>
  /^(?:Of|What|Whatever|Who|Whoever|Whom|Whose)\b/u.test(sentence) ||
  relative.test(sentence) ||
  loose.test(sentence) ||
  indirect.test(sentence) ||
  noNoun.test(sentence) ||
  banned.test(sentence)

export const badLineComments = (source: Source): ReadonlyArray<string> =>
  lineComments(source)
    .filter(isBadLine)
    .map(({ sentence, start }) => `${at(source, start)} ${sentence}`)

const testCalls = new Set(["it", "describe", "test"])

/** Returns `it` for `it`, `it.effect` and `it.each(table)`. */
const rootOf = (node: unknown): string | null => {
  if (!isNode(node)) return null
  if (node.type === "Identifier") return String(node["name"])
  return node.type === "MemberExpression" ? rootOf(node["object"]) : rootOf(node["callee"])
}

/** The titles of a test file's cases and groups. */
export const titles = (source: Source): ReadonlyArray<{ readonly title: string; readonly start: number }> =>
  nodesOf(source).flatMap(({ node }) => {
    if (node.type !== "CallExpression" || !testCalls.has(rootOf(node["callee"]) ?? "")) return []
    const [first] = node["arguments"] as ReadonlyArray<Node>
    if (first?.type === "Literal") return [{ title: String(first["value"]), start: first.start }]
    return first?.type === "TemplateLiteral" ? [{ title: templateText(first), start: first.start }] : []
  })

/** Finds a candidate in the text of a file, in which a quote follows the end of a title. */
const candidateTitle = new RegExp([badText, loose, vague].map(({ source }) => source.replace("$", "")).join("|"), "iu")

export const badTitles = (source: Source): ReadonlyArray<string> =>
  (candidateTitle.test(source.text) ? titles(source) : [])
    .filter(({ title }) => badText.test(title) || loose.test(title) || vague.test(title))
    .map(({ start, title }) => `${at(source, start)} ${title}`)

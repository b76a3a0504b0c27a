/** Parses a profile of `sandbox-exec` and evaluates it, as the kernel of macOS does: the last matching rule decides. */

export type Expression = string | ReadonlyArray<Expression>

/** The expressions of a profile; fails if its text is invalid. */
export const parse = (text: string): ReadonlyArray<Expression> => {
  const tokens = [...text.matchAll(/\(|\)|#?"(?:[^"\\]|\\.)*"|[^\s()"]+|\S/gu)].map(([token]) => token)
  const read = (): Expression => {
    const token = tokens.shift()
    if (token === undefined || token === ")") throw new Error(`unbalanced at ${tokens.join(" ").slice(0, 40)}`)
    if (token !== "(") {
      if (token.includes('"') && !/^#?"(?:[^"\\]|\\.)*"$/u.test(token)) throw new Error(`not closed: ${token}`)
      return token
    }
    const list: Array<Expression> = []
    while (tokens[0] !== ")") list.push(read())
    tokens.shift()
    return list
  }
  const expressions: Array<Expression> = []
  while (tokens.length > 0) expressions.push(read())
  return expressions
}

export interface Rule {
  readonly action: "allow" | "deny"
  readonly operations: ReadonlyArray<string>
  /** None: it applies to everything. */
  readonly filters: ReadonlyArray<readonly [kind: string, value: string]>
}

const plain = (quoted: string): string => quoted.slice(1, -1).replaceAll(/\\(.)/gu, "$1")

export const rulesOf = (text: string): ReadonlyArray<Rule> =>
  parse(text).flatMap((expression) => {
    if (typeof expression === "string") throw new Error(`no rule: ${expression}`)
    const [action, ...rest] = expression
    if (action === "version") return []
    if (action !== "allow" && action !== "deny") throw new Error(`no action: ${String(action)}`)
    const operations = rest.filter((one) => typeof one === "string")
    const filters = rest
      .filter((one) => typeof one !== "string")
      .map(([kind, value]) => {
        const text = String(value)
        const isRegex = kind === "regex"
        return [String(kind), isRegex ? text.slice(2, -1) : text.startsWith('"') ? plain(text) : text] as const
      })
    return [{ action, operations, filters }]
  })

const means = (pattern: string, operation: string): boolean =>
  pattern === "default" ||
  pattern === operation ||
  (pattern.endsWith("*") && operation.startsWith(pattern.slice(0, -1)))

const matches = ([kind, value]: readonly [string, string], path: string): boolean => {
  switch (kind) {
    case "literal":
      return path === value
    case "subpath":
      return value === "/" || path === value || path.startsWith(`${value}/`)
    case "regex":
      return new RegExp(value, "u").test(path)
    default:
      return false
  }
}

export const decide = (rules: ReadonlyArray<Rule>, operation: string, path: string): boolean =>
  rules.findLast(
    ({ filters, operations }) =>
      operations.some((pattern) => means(pattern, operation)) &&
      (filters.length === 0 || filters.some((filter) => matches(filter, path)))
  )?.action === "allow"

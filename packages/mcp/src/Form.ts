/** Fields that a server asks the user to fill in, and the user's answers. Pure. */

interface DescribedField {
  readonly name: string
  readonly title: string
  /** The description; "": there is none. */
  readonly description: string
  readonly isRequired: boolean
}

export type Value = string | number | boolean | ReadonlyArray<string>

export interface Choice {
  readonly value: string
  readonly title: string
}

/** `initial` null: the field has no default. Bounds may be null: they do not apply. */
export type Field = DescribedField &
  (
    | {
        readonly _tag: "Text"
        readonly minLength: number
        readonly maxLength: number
        readonly format: "email" | "uri" | "date" | "date-time" | null
        readonly initial: string | null
      }
    | {
        readonly _tag: "Number"
        readonly isInteger: boolean
        readonly minimum: number | null
        readonly maximum: number | null
        readonly initial: number | null
      }
    | { readonly _tag: "Boolean"; readonly initial: boolean | null }
    | { readonly _tag: "One"; readonly choices: ReadonlyArray<Choice>; readonly initial: string | null }
    | {
        readonly _tag: "Many"
        readonly choices: ReadonlyArray<Choice>
        readonly minItems: number
        readonly maxItems: number
        readonly initial: ReadonlyArray<string> | null
      }
  )

/** All texts come from the server. */
export type Request =
  | {
      readonly _tag: "Form"
      readonly server: string
      readonly message: string
      readonly fields: ReadonlyArray<Field>
      /** True: a field seems to ask for a password, a key or another secret. */
      readonly asksSecret: boolean
    }
  /** A page for the user to open; the program does not open it. */
  | { readonly _tag: "Page"; readonly server: string; readonly message: string; readonly url: string }

export type Reply =
  | { readonly _tag: "Accepted"; readonly values: Readonly<Record<string, Value>> }
  | { readonly _tag: "Declined" }
  | { readonly _tag: "Cancelled" }

export type ParsedValue =
  | { readonly _tag: "Value"; readonly value: Value }
  | { readonly _tag: "Fault"; readonly fault: string }
  /** The field was left empty: its default is used, or the field is omitted. */
  | { readonly _tag: "Empty" }

const value = (parsed: Value): ParsedValue => ({ _tag: "Value", value: parsed })
const fault = (text: string): ParsedValue => ({ _tag: "Fault", fault: text })

/** Parses the user's input for a field. A choice is given by its number, its value or its title. */
export const parse = (field: Field, typed: string): ParsedValue => {
  const text = typed.trim()
  if (text === "") {
    return field.isRequired && field.initial === null ? fault(`${field.title} is needed`) : { _tag: "Empty" }
  }
  switch (field._tag) {
    case "Text":
      return parseText(field, text)
    case "Number":
      return parseNumber(field, text)
    case "Boolean":
      if (/^(?:y|yes|true|1)$/iu.test(text)) return value(true)
      return /^(?:n|no|false|0)$/iu.test(text) ? value(false) : fault("write yes or no")
    case "One": {
      const chosen = chosenBy(field.choices, text)
      return chosen === null ? fault(`choose 1 to ${field.choices.length}`) : value(chosen)
    }
    case "Many":
      return parseMany(field, text)
  }
}

const formats = {
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/u,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/iu,
  date: /^\d{4}-\d{2}-\d{2}$/u,
  "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/u
} as const

const parseText = (
  { format, maxLength, minLength }: Extract<Field, { readonly _tag: "Text" }>,
  text: string
): ParsedValue => {
  const { length } = Array.from(text)
  if (length < minLength) return fault(`write at least ${minLength} characters`)
  if (length > maxLength) return fault(`write at most ${maxLength} characters`)
  return format !== null && !formats[format].test(text) ? fault(`that is not a valid ${format}`) : value(text)
}

const parseNumber = (field: Extract<Field, { readonly _tag: "Number" }>, text: string): ParsedValue => {
  const { isInteger, maximum, minimum } = field
  const number = Number(text)
  if (!Number.isFinite(number) || (isInteger && !Number.isInteger(number))) {
    return fault(isInteger ? "write a whole number" : "write a number")
  }
  if (minimum !== null && number < minimum) return fault(`at least ${minimum}`)
  return maximum !== null && number > maximum ? fault(`at most ${maximum}`) : value(number)
}

const parseMany = (field: Extract<Field, { readonly _tag: "Many" }>, text: string): ParsedValue => {
  const { choices, maxItems, minItems } = field
  const chosen = text.split(",").map((part) => chosenBy(choices, part.trim()))
  if (chosen.includes(null)) return fault(`choose from 1 to ${choices.length}, with commas between them`)
  const distinct = [...new Set(chosen.flatMap((one) => (one === null ? [] : [one])))]
  if (distinct.length < minItems) return fault(`choose at least ${minItems}`)
  return distinct.length > maxItems ? fault(`choose at most ${maxItems}`) : value(distinct)
}

const chosenBy = (choices: ReadonlyArray<Choice>, text: string): string | null => {
  const exact = choices.find((choice) => choice.value === text) ?? choices.find(({ title }) => title === text)
  const numbered = /^\d+$/u.test(text) ? choices[Number(text) - 1] : undefined
  return (exact ?? numbered)?.value ?? null
}

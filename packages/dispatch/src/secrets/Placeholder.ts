/** Matches placeholder text in documentation and templates, which is not a secret. */

const inDocuments = /EXAMPLE|\$\{|\{\{|^[$<%{[]|x{6,}|X{6,}|\*{3,}|\.{3,}/u

const word =
  /^(?:(?:my|your|the|db)?[-_]?(?:pass(?:word|wd)?|pw|secret|token|key)|root|admin|user(?:name)?|postgres|mysql|mongo|guest|test|dev|change-?me|foobar|redacted|hidden)$/iu

/** Matches a repeated character, which is not a secret. */
const repeated = /^(.)\1*$|(.)\2{15,}/u

export const isPlaceholder = (text: string): boolean =>
  inDocuments.test(text) || word.test(text) || (text.length < 200 && repeated.test(text))

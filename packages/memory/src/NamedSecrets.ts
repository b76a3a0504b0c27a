/** Finds passwords, and keys of unknown formats, by their names: `DB_PASSWORD=…`, "the password for the wifi is …". */
import type { Format } from "./TokenFormats.ts"

/** Words for a password in several languages. */
export const password =
  "(?:pass(?:word|wd|code|phrase)|passwort|kennwort|wachtwoord|parola d'ordine|mot de passe|contraseña|senha|пароль|密码|密碼|パスワード)"
/** Matches a short word for a password, but not a pass for admission. */
const short =
  "(?<![a-z])(?<!(?:backstage|boarding|bus|day|eurail|hall|interrail|lift|mountain|museum|parking|press|rail|season|ski|train|visitor)[- ])(?:pwd|pass|pw)"
const key =
  "(?:(?:api|access|account|auth|encryption|master|private|secret|shared|signing)[-_ ]?key|[-_ ]?token|secret|credentials?)"
const phrase = "(?:pass|recovery|seed|mnemonic)[-_ ]?phrase"

const preposition = "(?:for|of|on|to|at|für|zum|zur|von|vom|beim|van|voor|bij|pour|de|du|des|para|del)"
/** Matches a qualifier between a name and its value, such as "(staging)" or "for the wifi". */
const qualifier = String.raw`(?:\s{0,2}\([^)\n]{1,40}\)|\s${preposition}\s[^\n.:;=[]{1,40}?)?`
const assigned = String.raw`["'\x60]?\s{0,4}(?:[:=：]|=>|:=)\s{0,4}`
const said = String.raw`\s(?:(?:is|was|are|ist|lautet|est|es)(?:\snow)?|(?:is|was|has been|were)?\s?(?:changed|set|reset) to)[:]?\s`
const quoted = String.raw`(?:"[^"\n]{4,200}"|'[^'\n]{4,200}'|\x60[^\x60\n]{4,200}\x60)`
const word = "[^\\s\"'`,;]{4,}"

/** Makes a pattern that leaves everything before the value unchanged. */
const patternAfter = (before: string, value: string): RegExp => new RegExp(String.raw`(?<=${before})${value}`, "giu")

const unquote = (text: string): string => text.replace(/^["'`](.*)["'`]$/su, "$1")

/** Matches a text that only refers to a secret, such as its location, a variable, or a redaction. */
const reference =
  /^(?:[$<%~/.-]|\{\{|\[redacted|\[hidden: |(?:process|os|env|import|config|settings|secrets|vars|var|self|this)\b[.[(]|getenv|https?:|op:|vault:|arn:|file:|id_(?:rsa|dsa|ecdsa|ed25519)\b|.+\.(?:pem|key|crt|cer|p12|pfx|kdbx|asc|gpg|env|json|ya?ml|txt|md)$|[*x•.…_-]+$)/iu

/** Matches words about a password or a password field. */
const predicate =
  /^(?:n[io]t|no|in|im|on|an?|the|any|your|my|his|her|its|their|our|same|see|siehe|voir|ver|véase|ask|fragen|demander|preguntar|use[sd]?|must|should|from|via|with|per|each|every|always|never|still|also|only|too|very|case|long|short|four|five|six|eight|ten|twelve|unknown|none|null|undefined|true|false|yes|required|optional|empty|default|hidden|secret|wrong|right|correct|incorrect|invalid|valid|weak|strong|simple|safe|public|private|expired|forgotten|kept|set|reset|lost|sent|text|string|str|varchar|bool(?:ean)?|char|type|bytes?|base64|sha\d+|md5|argon2\w*|bcrypt|pbkdf2|oauth2?|(?:aes|chacha20|curve25519|ecdsa|ed25519|hmac|rsa|secp256k1|wpa[23]?|x25519)(?:[-_/][a-z0-9]{1,10})*|\d+-?(?:ms|sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|weeks?|months?|years?|bits?|bytes?|char(?:acter)?s?|digits?|words?)|1password|bitwarden|keepass\w*|keychain|lastpass|that|what|where|there|here|this|and|now|good|bad|fine|ok(?:ay)?|gone|out|about|over|up|down|out-of-date|up-to-date|.+(?:ed|ly|ing|able|ible|-sensitive|-known|-lived|-only|-free|-based|-specific|-wide))[.!?)]*$/iu

const isValue = (found: string): boolean => !reference.test(unquote(found)) && !predicate.test(unquote(found))

const letter = /\p{L}/u
const mark = /[\d!@#$%^&*+~]/u

/** True for a generated word of at least `minLength` characters, unlike any word of a sentence. */
export const looksMade =
  (minLength: number) =>
  (found: string): boolean => {
    const value = unquote(found).replace(/(?<![.!?)])[.!?)]+$/u, "")
    return value.length >= minLength && letter.test(value) && mark.test(value) && isValue(value)
  }

/** True for words drawn at random, false for a sentence. */
const isPhrase = (found: string): boolean => {
  const words = found.trim().split(/\s+/u)
  return (
    words.length >= 3 && words.every((each) => each.length >= 3 && !/^(?:the|and|for|see|with|from|your)$/iu.test(each))
  )
}

/**
 * The minimum number of words of a secret phrase: a shorter one may be a mnemonic, such as "every good boy does fine".
 */
const minMnemonicWords = 12

/** The formats; the first one that matches at a position is used. */
export const formats: ReadonlyArray<Format> = [
  {
    name: "passphrase",
    pattern: patternAfter(`${phrase}${qualifier}${assigned}`, "\\p{L}[\\p{L} ]{12,300}"),
    accepts: isPhrase
  },
  {
    name: "passphrase",
    pattern: patternAfter(`mnemonic${qualifier}${assigned}`, "\\p{L}[\\p{L} ]{12,300}"),
    accepts: (found) => isPhrase(found) && found.trim().split(/\s+/u).length >= minMnemonicWords
  },
  {
    name: "password",
    pattern: patternAfter(`${password}${qualifier}(?:${assigned}|${said})`, quoted),
    accepts: isValue
  },
  { name: "password", pattern: patternAfter(`${password}${qualifier}${assigned}`, word), accepts: isValue },
  // Matches a word at the end of a sentence: "the password is swordfish."
  {
    name: "password",
    pattern: patternAfter(`${password}${qualifier}${said}`, "[^\\s\"'`,;]{4,}(?=\\s*(?:$|\\n))"),
    accepts: isValue
  },
  { name: "password", pattern: patternAfter(`${password}${qualifier}(?:${said}|\\s)`, word), accepts: looksMade(8) },
  { name: "password", pattern: patternAfter(`${short}${assigned}["'\`]?`, word), accepts: looksMade(6) },
  {
    name: "PIN",
    pattern: new RegExp(
      String.raw`(?<=\b(?:PIN|pin[- ](?:code|number))(?:\s${preposition}\s[^\n.:;=[]{1,40}?)?(?:\s{0,2}[:=]\s{0,2}|\s(?:is|ist|lautet|est|es)\s))\d{4,12}\b`,
      "gu"
    )
  },
  {
    name: "secret",
    pattern: patternAfter(`${key}${qualifier}(?:${assigned}|${said})["'\`]?`, word),
    accepts: looksMade(8)
  },
  { name: "secret", pattern: patternAfter(`--[a-z-]*(?:key|token|secret)[ =]`, word), accepts: looksMade(8) }
]

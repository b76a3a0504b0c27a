/**
 * Finds tokens that are written like digests: 32 hexadecimal digits or more. Only the neighbouring words distinguish a
 * token from a commit: "the deploy token 0f1e…", "0f1e… is our API key", "Datadog: 0f1e…".
 */
import type { Format } from "./TokenFormats.ts"

const notWithin = String.raw`(?<![\p{L}\p{N}])`
/** Matches "key" unless the word before it shows that the key is not secret, as in "primary key". */
const openKey =
  "(?<!(?:cache|content|dedupe|duplicate|foreign|gpg|hash|idempotency|index|lookup|map|object|openpgp|partition|pgp|primary|public|row|s3|shard|signing|sort|ssh|storage|unique)[-_ ]?)"
const openToken = "(?<!(?:cancell?ation|continuation|design|next|page|sync)[-_ ]?)"
const noun = `(?:${openKey}(?:api|access|auth|private|secret)?keys?|${openToken}[\\p{L}\\p{N}]*tokens?|secret(?:s(?=\\s?:))?|pass(?:words?|wd|codes?|phrases?)|passwort|kennwort|mot de passe|contraseña|senha|credentials?|logins?|pwd|PATs?|bearer|auth(?=\\s?[:=]))`

/** Services whose tokens consist of hexadecimal digits, and that have no commits. */
const service =
  "(?:algolia|datadog|last\\.?fm|mailchimp|mixpanel|new relic|opsgenie|openweather(?:map)?|pagerduty|rollbar|shodan|sonar(?:cloud|qube)|tmdb|trello|twilio|virustotal|wandb|weights (?:&|and) biases)"

const changed = String.raw`(?:(?:is|was|has been|were)\s)?(?:(?:changed|rotated|renewed|reset|set)\sto|replaced\s(?:by|with))`
const said = String.raw`(?:\s(?:is|was|are|were|ist|lautet|est|es|=|to|${changed}))?(?:\snow)?`
const mark = "(?:[\"'`]?\\s?(?:[:=]|=>|->|→)\\s{0,4}|\\s)[\"'`]?"
/** Matches further tokens of a list: the name before the first token applies to all of them. */
const listed = "(?:(?:[0-9a-f]{32,}|\\[redacted: [^\\]]+\\])[\"'`]?(?:,?\\s(?:and\\s|or\\s)?|\\s?/\\s?)[\"'`]?)*"

const namedBefore = new RegExp(
  `${notWithin}(?:(?:[\\p{L}\\p{N}]*[_.-])*${noun}|${service})${said}${mark}${listed}$`,
  "iu"
)

const article = "(?:the|an?|our|my|your|his|her|their|its|this|that|some)"
/**
 * Matches a word that describes a token, such as "staging" in "is the staging token"; words about changes, such as
 * "commit" in "is the commit that removed the token", do not match.
 */
const attribute =
  "(?!(?:the|an?|of|for|to|in|on|at|by|with|without|that|which|where|when|before|after|from|change|commit|fix|version|release|build|merge|first|last)\\b)[\\p{L}\\p{N}&.'’-]+\\s"
const ends = "(?=\\s*(?:$|[.,;:!?)\\n])|\\s(?:of|for|to|on|at|in|from|until|since|and|there|here)\\b)"

const namedAfter = new RegExp(
  `^["'\`]?\\s(?:(?:is|was)\\s(?:now\\s)?${article}\\s|as\\s(?:${article}\\s)?)(?:${attribute}){0,3}(?:[\\p{L}\\p{N}]*[_.-])*${noun}${ends}`,
  "iu"
)

/** Matches a word before digits that marks them as a digest, such as "commit" or "sha256:". */
const digestBefore =
  /(?:[/@#:~]|\b(?:commits?|sha-?\d*|md5|digests?|checksums?|hash(?:es)?|revisions?|rev|tree|blob|head|merged?|revert(?:ed|s)?|cherry-pick(?:ed)?|bisect(?:ed)?|tag|fingerprints?|etag|image|build|layer)[\s:=`"']{1,3})$/iu

/** The distance within which words before a token are searched: about the length of a sentence. */
const before = 160
const after = 100

export const formats: ReadonlyArray<Format> = [
  {
    name: "secret",
    pattern: /(?<![A-Za-z0-9])[0-9a-f]{32,128}(?![A-Za-z0-9])/gi,
    accepts: (found, { text, at }) => {
      const preceding = text.slice(Math.max(0, at - before), at)
      if (namedBefore.test(preceding)) return true
      const following = text.slice(at + found.length, at + found.length + after)
      return !digestBefore.test(preceding) && namedAfter.test(following)
    }
  }
]

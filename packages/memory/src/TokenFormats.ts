/** Finds keys and tokens by their form, independent of the surrounding text. */

/** A token that was found, with its position in the whole text. */
export interface TokenLocation {
  readonly text: string
  /** The position of its first character. */
  readonly at: number
}

export interface Format {
  /** The kind of token, for users. */
  readonly name: string
  /** Matches the whole secret. */
  readonly pattern: RegExp
  /** Checks a match; false: the text is not a token. */
  readonly accepts?: (found: string, place: TokenLocation) => boolean
}

const digit = /\d/
const unbroken = /[A-Za-z0-9]{16}/

/**
 * True for random characters rather than words joined by hyphens or underscores: upper case, lower case and digits, or
 * an unbroken run of letters and digits.
 */
const isRandom = (text: string): boolean =>
  digit.test(text) && (unbroken.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text)))

/**
 * Makes a format from prefixes that a provider chose to make leaked tokens recognisable; a long random part follows.
 */
const prefixFormat = (name: string, prefixes: ReadonlyArray<string>): Format => ({
  name,
  pattern: new RegExp(String.raw`(?<![A-Za-z0-9])(?:${prefixes.join("|")})[A-Za-z0-9_.=~-]{16,}`, "g"),
  accepts: isRandom
})

export const formats: ReadonlyArray<Format> = [
  {
    name: "private key",
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g
  },
  {
    name: "private key",
    pattern: /\bPuTTY-User-Key-File-\d:[\s\S]{0,2000}?Private-Lines:[\s\S]{0,8000}?(?:Private-MAC:.*|$)/g
  },
  { name: "private key", pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{30,}/g },
  { name: "AWS access key", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  prefixFormat("GitHub token", ["gh[pousr]_", "github_pat_"]),
  prefixFormat("GitLab token", ["gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt|oas)-"]),
  prefixFormat("Slack token", ["xox[abceoprs](?:\\.xox[a-z])?-", "xapp-"]),
  {
    name: "webhook",
    pattern:
      /\bhttps:\/\/(?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks|[\w.-]+\.webhook\.office\.com\/webhookb2)\/[\w/@-]{20,}/g
  },
  { name: "bot token", pattern: /\b(?:[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,}|\d{8,10}:AA[\w-]{33})/g },
  { name: "JSON web token", pattern: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g },
  prefixFormat("API key", ["(?:sk|pk|rk)[-_](?:[a-z]+[-_])*", "[sp]k\\.eyJ", "whsec_", "AIza", "GOCSPX-", "ya29\\."]),
  prefixFormat("npm token", ["npm_"]),
  prefixFormat("PyPI token", ["pypi-"]),
  prefixFormat("API key", [
    "hf_",
    "gsk_",
    "xai-",
    "pplx-",
    "r8_",
    "nvapi-",
    "fw_",
    "ntn_",
    "secret_",
    "figd_",
    "lin_(?:api|oauth)_"
  ]),
  prefixFormat("API key", [
    "do[opr]_v1_",
    "dp\\.[a-z]{2,6}\\.",
    "vercel_[a-z_]+_",
    "vc[pikar]_",
    "sbp_",
    "pscale_[a-z]+_"
  ]),
  prefixFormat("API key", [
    "shp(?:at|ca|pa|ss)_",
    "dapi(?=[a-f0-9]{32})",
    "PMAK-",
    "pul-",
    "hv[sbr]\\.",
    "NRAK-",
    "sntry[su]_"
  ]),
  prefixFormat("API key", [
    "glsa_",
    "rubygems_",
    "cio(?=[A-Za-z0-9]{32}\\b)",
    "dckr_pat_",
    "ATATT3",
    "ATCTT3",
    "EAAA",
    "EZ[AT]K"
  ]),
  prefixFormat("API key", [
    "SG\\.(?=[\\w-]{16,}\\.)",
    "SK(?=[a-f0-9]{32}\\b)",
    "key-(?=[a-f0-9]{32}\\b)",
    "tskey-[a-z]+-"
  ]),
  { name: "API key", pattern: /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}/g },
  { name: "API key", pattern: /\bv1\.0-[a-f0-9]{24}-[a-f0-9]{100,}/g },
  { name: "client secret", pattern: /(?<![\w~.-])[\w~.-]{3}8Q~[\w~.-]{31,}/g },
  { name: "password in a URL", pattern: /(?<=\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@]{0,64}:)[^\s@/]{3,128}(?=@)/gi },
  {
    name: "signed URL",
    pattern: /(?<=[?&](?:sig|X-Amz-Signature|X-Goog-Signature|access_token|token|api_key|key)=)[\w%+/.~-]{20,}/gi,
    accepts: isRandom
  },
  {
    name: "bearer token",
    pattern:
      /(?<=\b(?:Bearer|Authorization["']?\s{0,2}[:=]\s{0,2}["']?(?:Basic|Token|ApiKey))\s{1,4})[\w.~+/-]{12,}=*/gi,
    accepts: isRandom
  }
]

/** Forms of secrets that the rule set of `SecretlintRules` does not know. */
import type { SecretRule } from "./SecretRule.ts"

export const furtherRules: ReadonlyArray<SecretRule> = [
  // Matches a private key without its last line, for example after `head`, or with an unusual last line.
  {
    name: "privatekey",
    source: "-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\s{1,8}[A-Za-z0-9+/=]{16,128}){1,200}",
    flags: "g",
    anchors: ["-----BEGIN "],
    length: 11_000
  },
  {
    name: "jwt",
    source: "\\beyJ[A-Za-z0-9_-]{8,512}\\.eyJ[A-Za-z0-9_-]{8,2048}\\.[A-Za-z0-9_-]{16,1024}",
    flags: "g",
    anchors: ["eyJ"],
    length: 3_600
  },
  {
    name: "stripe",
    source: "(?<![A-Za-z0-9])whsec_[A-Za-z0-9]{16,128}(?![A-Za-z0-9])",
    flags: "g",
    anchors: ["whsec_"],
    length: 160
  },
  {
    name: "google",
    source:
      "(?<![A-Za-z0-9_-])(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\\.[A-Za-z0-9_-]{30,512})(?![A-Za-z0-9_-])",
    flags: "g",
    anchors: ["AIza", "GOCSPX-", "ya29."],
    length: 540
  },
  {
    name: "pypi",
    source: "(?<![A-Za-z0-9])pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,1000}",
    flags: "g",
    anchors: ["pypi-AgE"],
    length: 1_100
  },
  {
    name: "age",
    source: "\\bAGE-SECRET-KEY-1[A-Z0-9]{58}\\b",
    flags: "g",
    anchors: ["AGE-SECRET-KEY-1"],
    length: 100
  },
  {
    name: "telegram",
    source: "(?<![A-Za-z_-]):(?<secret>AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])",
    flags: "g",
    anchors: [":AA"],
    length: 60
  }
]

/**
 * The forms of many services' secrets: the patterns of secretlint's recommended rules (MIT, © 2020 azu), as data.
 * Written by `build/secretRules.ts`; a test compares it with the installed rule set.
 */
import type { SecretRule } from "./SecretRule.ts"

export const secretlintRules: ReadonlyArray<SecretRule> = [
  {
    name: "aws",
    source: "\\b(A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}\\b",
    flags: "g",
    anchors: ["A3T", "AKIA", "AGPA", "AIDA", "AROA", "AIPA", "ANPA", "ANVA", "ASIA"],
    length: 20
  },
  {
    name: "aws",
    source:
      "[\"']?(?:AWS|aws|Aws)?_?(?:SECRET|secret|Secret)_?(?:ACCESS|access|Access)_?(?:KEY|key|Key)[\"']?\\s{0,8}(?::|=>|=)\\s{0,8}[\"']?(?<secret>[A-Za-z0-9/\\+=]{40})[\"']?\\b",
    flags: "g",
    anchors: [
      "SECRETACCESS",
      "SECRETaccess",
      "SECRETAccess",
      "SECRET_ACCESS",
      "SECRET_access",
      "SECRET_Access",
      "secretACCESS",
      "secretaccess",
      "secretAccess",
      "secret_ACCESS",
      "secret_access",
      "secret_Access",
      "SecretACCESS",
      "Secretaccess",
      "SecretAccess",
      "Secret_ACCESS",
      "Secret_access",
      "Secret_Access"
    ],
    length: 200
  },
  {
    name: "privatekey",
    source:
      "-----BEGIN[ ]?(?:(?:RSA|DSA|EC|OPENSSH|PGP) )?PRIVATE KEY(?: BLOCK)?-----\\n?([A-Za-z0-9+/=\\s\\\\]{100,10000})\\n?-----END[ ]?(?:(?:RSA|DSA|EC|OPENSSH|PGP) )?PRIVATE KEY(?: BLOCK)?-----",
    flags: "gm",
    anchors: ["-----BEGIN "],
    length: 10200
  },
  {
    name: "npm",
    source: "(?<!\\p{L})npm_[A-Za-z0-9_]{36}(?![A-Za-z0-9_])",
    flags: "gu",
    anchors: ["npm_"],
    length: 40
  },
  {
    name: "basicauth",
    source:
      "(?<protocol>(?:https?|ftp|ftps)):\\/\\/(?<user>[-a-zA-Z0-9_]{1,256}):(?<password>[-a-zA-Z0-9_]{1,256})@[-a-zA-Z0-9%._+~#=]{1,256}\\.[a-zA-Z0-9()]{1,6}\\b",
    flags: "g",
    anchors: ["http://", "https://", "ftp://", "ftps://"],
    length: 800
  },
  {
    name: "slack",
    source: "\\b(?:xoxb|xoxp|xapp|xoxa|xoxo|xoxr)-(?:\\d-)?(?:[a-zA-Z0-9]{1,40}-){1,8}[a-zA-Z0-9]{1,40}\\b",
    flags: "g",
    anchors: ["xoxb-", "xoxp-", "xapp-", "xoxa-", "xoxo-", "xoxr-"],
    length: 400
  },
  {
    name: "slack",
    source: "https:\\/\\/hooks\\.slack\\.com\\/services\\/T[a-zA-Z0-9]{1,40}\\/B[a-zA-Z0-9]{1,40}\\/[a-zA-Z0-9]{1,40}",
    flags: "gi",
    anchors: ["https://hooks.slack.com", "HTTPS://HOOKS.SLACK.COM"],
    length: 180
  },
  {
    name: "sendgrid",
    source: "(?<!\\p{L})SG\\.\\w{1,128}\\.\\w{1,128}([-_]?)\\w{1,128}(?!\\w)",
    flags: "gu",
    anchors: ["SG."],
    length: 400
  },
  {
    name: "shopify",
    source: "(?<!\\p{L})(shppa|shpca|shpat|shpss)_[a-zA-Z0-9]{32,64}(?![a-zA-Z0-9])",
    flags: "gu",
    anchors: ["shppa_", "shpca_", "shpat_", "shpss_"],
    length: 80
  },
  {
    name: "stripe",
    source: "(?<!\\p{L})(?<prefix>sk_live|sk_test|rk_live|rk_test)_[a-zA-Z0-9]{24,99}(?![a-zA-Z0-9])",
    flags: "gu",
    anchors: ["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
    length: 120
  },
  {
    name: "github",
    source: "(?<!\\p{L})(?<type>ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9_]{36}(?![A-Za-z0-9_])",
    flags: "gu",
    anchors: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    length: 60
  },
  {
    name: "github",
    source: "(?<!\\p{L})(?<type>github_pat)_[A-Za-z0-9_]{82}(?![A-Za-z0-9_])",
    flags: "gu",
    anchors: ["github_pat_"],
    length: 110
  },
  {
    name: "github",
    source:
      "(?<!\\p{L})(?<type>ghs)_[0-9]{1,20}_[A-Za-z0-9_-]{1,1000}\\.[A-Za-z0-9_-]{1,10000}\\.[A-Za-z0-9_-]{1,1000}(?![A-Za-z0-9_-])",
    flags: "gu",
    anchors: ["ghs_"],
    length: 12100
  },
  {
    name: "gitlab",
    source: "(?<!\\p{L})glpat-[A-Za-z0-9_-]{20,128}(?![A-Za-z0-9_-])",
    flags: "gu",
    anchors: ["glpat-"],
    length: 140
  },
  {
    name: "grafana",
    source: "(?<!\\p{L})glc_[A-Za-z0-9+/]{32,400}={0,2}(?![A-Za-z0-9+/=])",
    flags: "gu",
    anchors: ["glc_"],
    length: 410
  },
  {
    name: "grafana",
    source: "(?<!\\p{L})glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}(?![A-Fa-f0-9])",
    flags: "gu",
    anchors: ["glsa_"],
    length: 60
  },
  {
    name: "openai",
    source:
      "sk-(?:proj|svcacct|admin)-(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})T3BlbkFJ(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})\\b|sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20}",
    flags: "g",
    anchors: ["sk-"],
    length: 200
  },
  {
    name: "anthropic",
    source: "(?<!\\p{L})sk-ant-api0\\d-[A-Za-z0-9_-]{90,128}AA(?![A-Za-z0-9_-])",
    flags: "gu",
    anchors: ["sk-ant-"],
    length: 160
  },
  { name: "groq", source: "(?<!\\p{L})gsk_[a-zA-Z0-9]{52}(?![a-zA-Z0-9])", flags: "gu", anchors: ["gsk_"], length: 60 },
  { name: "huggingface", source: "(?<!\\p{L})hf_[a-zA-Z]{34}(?![a-zA-Z])", flags: "gu", anchors: ["hf_"], length: 40 },
  {
    name: "linear",
    source: "(?<!\\p{L})lin_api_[a-zA-Z0-9_]{32,128}(?![a-zA-Z0-9_])",
    flags: "gu",
    anchors: ["lin_api_"],
    length: 140
  },
  {
    name: "notion",
    source: "(?<!\\p{L})ntn_[0-9]{11}[A-Za-z0-9]{35}(?![A-Za-z0-9])",
    flags: "gu",
    anchors: ["ntn_"],
    length: 60
  },
  {
    name: "1password",
    source: "(?<!\\p{L})ops_(ey[A-Za-z0-9+/=]{100,1280}fQ={0,2})(?![A-Za-z0-9+/=])",
    flags: "gu",
    anchors: ["ops_ey"],
    length: 1300
  },
  {
    name: "database-connection-string",
    source:
      "mongodb(?:\\+srv)?:\\/\\/(?:(?<username>[^:\\/\\s]{1,100}):(?<password>[^@\\/\\s]{1,200})@)?(?<host>[^\\/\\s?]{1,100})(?:\\/(?<database>[^?\\s]{0,100}))?(?:\\?(?<options>[^\\s]{0,500}))?",
    flags: "gi",
    anchors: ["mongodb://", "MONGODB://", "mongodb+srv://", "MONGODB+SRV://"],
    length: 1100
  },
  {
    name: "database-connection-string",
    source:
      "(?:jdbc:)?mysql(?:x)?:\\/\\/(?:(?<username>[^:\\/\\s]{1,100}):(?<password>[^@\\/\\s]{1,200})@)?(?<host>[^\\/\\s?]{1,100})(?:\\/(?<database>[^?\\s]{0,100}))?(?:\\?(?<options>[^\\s]{0,500}))?",
    flags: "gi",
    anchors: ["mysql://", "MYSQL://", "mysqlx://", "MYSQLX://"],
    length: 1100
  },
  {
    name: "database-connection-string",
    source:
      "postgres(?:ql)?:\\/\\/(?:(?<username>[^:\\/\\s]{1,100}):(?<password>[^@\\/\\s]{1,200})@)?(?<host>[^\\/\\s?]{1,100})(?:\\/(?<database>[^?\\s]{0,100}))?(?:\\?(?<options>[^\\s]{0,500}))?",
    flags: "gi",
    anchors: ["postgres://", "POSTGRES://", "postgresql://", "POSTGRESQL://"],
    length: 1100
  },
  {
    name: "hashicorp-vault",
    source: "(?<!\\p{L})hvs\\.[A-Za-z0-9_-]{90,120}(?![A-Za-z0-9_-])",
    flags: "gu",
    anchors: ["hvs."],
    length: 130
  },
  {
    name: "hashicorp-vault",
    source: "(?<!\\p{L})hvb\\.[A-Za-z0-9_-]{138,300}(?![A-Za-z0-9_-])",
    flags: "gu",
    anchors: ["hvb."],
    length: 310
  },
  {
    name: "hashicorp-vault",
    source: "(?<!\\p{L})hvr\\.[A-Za-z0-9_-]{90,120}(?![A-Za-z0-9_-])",
    flags: "gu",
    anchors: ["hvr."],
    length: 130
  },
  {
    name: "vercel",
    source: "(?<!\\p{L})(?<prefix>vcp|vci|vca|vcr|vck)_[A-Za-z0-9]{20,60}(?![A-Za-z0-9])",
    flags: "gu",
    anchors: ["vcp_", "vci_", "vca_", "vcr_", "vck_"],
    length: 70
  },
  {
    name: "databricks",
    source: "(?<!\\p{L})dapi[A-Fa-f0-9]{32}(?:-[0-9])?(?![A-Fa-f0-9])",
    flags: "gu",
    anchors: ["dapi"],
    length: 50
  },
  {
    name: "docker",
    source: "(?<!\\p{L})dckr_pat_[a-zA-Z0-9_-]{27}(?![a-zA-Z0-9_-])",
    flags: "gu",
    anchors: ["dckr_pat_"],
    length: 40
  },
  {
    name: "figma",
    source: "(?<!\\p{L})figd_[A-Za-z0-9_-]{40,200}(?![A-Za-z0-9_-])",
    flags: "gu",
    anchors: ["figd_"],
    length: 210
  },
  {
    name: "cloudflare",
    source: "(?<!\\p{L})(?<prefix>cfk|cfut|cfat)_[A-Za-z0-9]{40}[0-9a-f]{8}(?![A-Za-z0-9])",
    flags: "gu",
    anchors: ["cfk_", "cfut_", "cfat_"],
    length: 70
  },
  {
    name: "tailscale",
    source: "(?<!\\p{L})tskey-(?<type>[a-z]{2,20})-[0-9A-Za-z_]{8,40}-[0-9A-Za-z_]{16,60}(?![0-9A-Za-z_])",
    flags: "gu",
    anchors: ["tskey-"],
    length: 140
  }
]

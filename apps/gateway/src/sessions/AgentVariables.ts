/**
 * Selects the server's environment variables that its users' agents get: only those that locate models and programs.
 */

type Variables = Readonly<Record<string, string | undefined>>

const names: ReadonlySet<string> = new Set([
  "PATH",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "BOUGH_MODEL",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "OLLAMA_HOST",
  "AWS_REGION",
  "AWS_DEFAULT_REGION",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"
])

/** Keys and addresses of model providers, which are redacted like every secret. */
const provider =
  /^(ANTHROPIC|OPENAI|OPENAI_COMPATIBLE|GOOGLE|GOOGLE_GENERATIVE_AI|GEMINI|OLLAMA|AMAZON_BEDROCK)_[A-Z_]*(API_KEY|BASE_URL|AUTH_TOKEN)$/u

/** Returns the variables of a user's agent. */
export const select = (variables: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name) || provider.test(name)))

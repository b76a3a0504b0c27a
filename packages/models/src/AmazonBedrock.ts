/**
 * Models of Amazon Bedrock through its Converse API, with a Bedrock API key or signed with an access key. Profiles and
 * roles of the AWS tools are not read: export their keys.
 */
import * as Effect from "effect/Effect"
import * as AiSdkProvider from "./AiSdkProvider.ts"
import { type Environment, describeSet, type Provider, variable } from "./Provider.ts"
import * as RequestOptions from "./RequestOptions.ts"

const bearerNames = ["AWS_BEARER_TOKEN_BEDROCK", "AMAZON_BEDROCK_API_KEY"]
const regionNames = ["AWS_REGION", "AWS_DEFAULT_REGION"]
const baseUrlNames = ["AMAZON_BEDROCK_BASE_URL", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"]

/** An access key alone does not select Bedrock: many users have one for other services. */
export const provider: Provider = {
  name: "amazon-bedrock",
  defaultModel: "us.anthropic.claude-sonnet-5-5",
  configured: (environment) => describeSet(environment, bearerNames),
  secretNames: [...bearerNames, "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"],
  make: (request) => {
    const { effort, environment, model } = request
    const name = model ?? provider.defaultModel
    const bearer = variable(environment, bearerNames)
    const access = accessKey(environment)
    const region = variable(environment, regionNames)?.value ?? "us-east-1"
    const address = variable(environment, baseUrlNames)
    const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    const baseURL = (address?.value ?? `https://bedrock-runtime.${region}.${domain}`).replace(/\/+$/, "")
    const secrets = [bearer?.value, access?.secretAccessKey, access?.sessionToken]
    return AiSdkProvider.make({
      request,
      endpoint: {
        baseUrl: baseURL,
        baseUrlName: address?.name ?? "AWS_REGION",
        keyName:
          bearer?.name ??
          (access === null
            ? "AWS_BEARER_TOKEN_BEDROCK (or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)"
            : "AWS_ACCESS_KEY_ID"),
        secrets: secrets.filter((secret) => secret !== undefined),
        opened: bearer !== null || access !== null
      },
      manners: {
        mediaInToolResults: true,
        declares: null,
        cacheMark: hasCache(name) ? { bedrock: { cachePoint: { type: "default" } } } : null,
        terms: RequestOptions.forClaude({
          model: name,
          effort,
          budget: (budgetTokens) => ({ bedrock: { reasoningConfig: { type: "enabled", budgetTokens } } })
        })
      },
      load: ({ fetch }) =>
        Effect.map(
          Effect.promise(() => import("@ai-sdk/amazon-bedrock")),
          // Both are passed, so that the package does not read the process's environment.
          ({ createAmazonBedrock }) =>
            createAmazonBedrock({ baseURL, region, fetch, apiKey: bearer?.value ?? "", ...access }).languageModel(name)
        )
    })
  }
}

const accessKey = (environment: Environment) => {
  const id = variable(environment, ["AWS_ACCESS_KEY_ID"])
  const secret = variable(environment, ["AWS_SECRET_ACCESS_KEY"])
  const session = variable(environment, ["AWS_SESSION_TOKEN"])
  if (id === null || secret === null) return null
  return {
    accessKeyId: id.value,
    secretAccessKey: secret.value,
    ...(session === null ? {} : { sessionToken: session.value })
  }
}

/** Models without a cache reject cache settings. */
const hasCache = (model: string): boolean =>
  /anthropic\.claude-/.test(model) && !/claude-(v\d|instant|3-(haiku|sonnet|opus)|3-5-sonnet)/.test(model)

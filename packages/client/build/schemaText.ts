/** The types of the gateway's requests and answers, as TypeScript text, from the one definition of its API. */
import { Api } from "@bough/gateway-api"
import * as OpenApi from "effect/http-api/OpenApi"
import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript"
import { withSharedResponses } from "./sharedResponses.ts"

const header = `/** The types of the gateway's requests and answers. Generated from its OpenAPI document by build/schema.ts. */\n`

/** Compiles the OpenAPI document of the API. */
export const schemaText = async (): Promise<string> => {
  // The same document in the types of two libraries.
  const document = OpenApi.fromApi(Api.Api) as unknown as OpenAPI3
  const nodes = await openapiTypescript(withSharedResponses(document), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true
  })
  return header + astToString(nodes)
}

/** A server's challenge to log in. Pure. */
import type * as Sdk from "../sdk.ts"
import type * as Credentials from "./Credentials.ts"

export type Challenge = NonNullable<Credentials.StoredCredentials["challenge"]>

export const read = ({ extractWWWAuthenticateParams }: typeof Sdk, response: Response): Challenge => {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
  return { scope: scope ?? null, resourceMetadata: resourceMetadataUrl?.href ?? null }
}

/** Converts the challenge to options of the SDK. */
export const toOptions = ({ resourceMetadata, scope }: Challenge) => {
  const resourceMetadataUrl = resourceMetadata === null ? null : URL.parse(resourceMetadata)
  return {
    ...(scope === null ? {} : { scope }),
    ...(resourceMetadataUrl === null ? {} : { resourceMetadataUrl })
  }
}

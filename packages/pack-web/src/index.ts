/** The web tools. */
export { HttpGet } from "./HttpGet.ts"
export { HttpRequest } from "./HttpRequest.ts"
export { WebFetch } from "./WebFetch.ts"
export * as WebPack from "./WebPack.ts"
export { WebSearch } from "./WebSearch.ts"

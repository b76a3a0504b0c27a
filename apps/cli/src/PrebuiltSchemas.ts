/**
 * JSON Schemas of the arguments of our own tools, by tool name, so that starting derives none. Empty when run from
 * source; the bundle holds what build/schemas.ts derived.
 */
import type { PrebuiltSchemas } from "@bough/host/Packs"

export const prebuilt: PrebuiltSchemas = {}

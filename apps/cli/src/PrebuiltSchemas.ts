/**
 * JSON Schemas of the arguments of Bough's tools, by tool name, so the start derives none. Empty if the program runs
 * from source; in the bundle, build/schemas.ts has derived them.
 */
import type { PrebuiltSchemas } from "@bough/host/Packs"

export const prebuilt: PrebuiltSchemas = {}

/** Tools as other systems are told of them. */
export * as Harmony from "./Harmony.ts"
export * as McpTool from "./McpTool.ts"
export * as SchemaType from "./SchemaType.ts"
export * as ToolFormat from "./ToolFormat.ts"

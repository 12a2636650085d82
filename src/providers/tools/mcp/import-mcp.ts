import { importOptional } from "../../../core/optional-package.ts"

/** A module of the SDK. */
export function importMcp<Module>(path: string): Promise<Module> {
  return importOptional(`@modelcontextprotocol/sdk/${path}`, "an MCP server as a source of tools")
}

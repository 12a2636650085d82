import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import type { Tool as OfferedTool } from "@modelcontextprotocol/sdk/types.js"
import { EvalkitError, ExitCode, messageOf } from "../../../core/errors.ts"
import { redactSecrets } from "../../../text/secrets.ts"
import { importMcp } from "./import-mcp.ts"
import { type Launch, type ProcessTransport, startTransport } from "./transport.ts"

/** A server that was started and answers. */
export interface Connection {
  readonly client: Client
  readonly transport: ProcessTransport
  /** Its name and version, as it says. */
  readonly server: { readonly name: string; readonly version: string }
  listTools(signal: AbortSignal): Promise<readonly OfferedTool[]>
  /** Whether it has said, since it was last asked, that its tools changed. */
  saysChanged(): boolean
}

/** Tools of one server, at most, over all pages of its list. */
const maxTools = 500

/**
 * Starts a server and shakes hands with it.
 * @throws EvalkitError with the end of what it logged, where it does not start or does not answer in time
 */
export async function connect(
  launch: Launch,
  options: { readonly where: string; readonly startMs: number; readonly signal: AbortSignal },
): Promise<Connection> {
  const { where, startMs, signal } = options
  const sdk = await load()
  const transport = await startTransport(launch)
  // It can do nothing for the server: neither ask a model, nor a person, nor show files.
  const client = new sdk.Client({ name: "evalkit", version: "1" }, { capabilities: {} })
  let changed = false
  client.setNotificationHandler(sdk.ToolListChangedNotificationSchema, () => {
    changed = true
  })
  // A signal of its own each: the SDK leaves its listeners on what it is given, and a run's signal outlives many servers.
  const limits = (outer: AbortSignal) => ({
    signal: AbortSignal.any([outer]),
    timeout: startMs,
    maxTotalTimeout: startMs,
  })
  try {
    await client.connect(transport, limits(signal))
  } catch (cause) {
    await transport.close()
    const why = transport.ending() ?? messageOf(cause)
    const late = /timed out|timeout/i.test(messageOf(cause)) ? `it did not answer within ${startMs / 1000} s` : why
    throw new EvalkitError(`an MCP server cannot be used: ${redactSecrets(late)}${logged(transport)}`, {
      code: "mcp_server",
      where,
      hint: "run its command by hand; what it prints there besides messages belongs to its standard error",
      cause,
      exitCode: ExitCode.usage,
    })
  }
  const { name = "", version = "" } = client.getServerVersion() ?? {}
  return {
    client,
    transport,
    server: { name: name.slice(0, 200), version: version.slice(0, 200) },
    saysChanged: () => {
      const was = changed
      changed = false
      return was
    },
    async listTools(outer) {
      const tools: OfferedTool[] = []
      let cursor: string | undefined
      do {
        const request = { method: "tools/list" as const, params: cursor === undefined ? {} : { cursor } }
        const page = await client.request(request, sdk.ListToolsResultSchema, limits(outer))
        tools.push(...page.tools)
        cursor = page.nextCursor
        if (tools.length > maxTools || (cursor !== undefined && page.tools.length === 0))
          throw new EvalkitError(`an MCP server offers more than ${maxTools} tools, or a list without end`, {
            code: "mcp_server",
            where,
          })
      } while (cursor !== undefined)
      return tools
    },
  }
}

/** The last lines that a server logged, without those of a stack: what it died of stands above them. */
export function logged({ process }: ProcessTransport): string {
  const said = process.log.lines().filter((line) => !/^\s*(?:at .*|[\^{}]*)$/.test(line))
  const lines = said.slice(-5).join("\n")
  return lines === "" ? "" : `; it logged:\n${redactSecrets(lines)}`
}

async function load() {
  const [{ Client }, types] = await Promise.all([
    importMcp<typeof import("@modelcontextprotocol/sdk/client/index.js")>("client/index.js"),
    importMcp<typeof import("@modelcontextprotocol/sdk/types.js")>("types.js"),
  ])
  const { ToolListChangedNotificationSchema, ListToolsResultSchema } = types
  return { Client, ToolListChangedNotificationSchema, ListToolsResultSchema }
}

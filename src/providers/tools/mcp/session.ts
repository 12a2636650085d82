import type { Tool, ToolEffects } from "../../../core/episode/design.ts"
import type { ToolSession } from "../../../core/episode/tool-source.ts"
import { EvalkitError, ExitCode, messageOf } from "../../../core/errors.ts"
import { canonicalJson, type JsonValue } from "../../../core/json.ts"
import { type ToolFaults, tool } from "../tool.ts"
import { type Connection, connect, logged } from "./connect.ts"
import { importMcp } from "./import-mcp.ts"
import { type Choice, type Offer, offeredTools } from "./offered-tools.ts"
import { resultText } from "./result-text.ts"
import type { Launch } from "./transport.ts"

/** What a session with a server is opened with. */
export interface McpSessionOptions {
  readonly where: string
  readonly launch: Launch
  readonly choice: Choice
  /** What calling a tool changes, by the server's name of it. */
  effects(tool: string, isReadOnly: boolean): ToolEffects
  readonly limits: { readonly timeoutMs: number; readonly startMs: number; readonly maxResultCharacters: number }
  readonly faults?: ToolFaults
  readonly signal: AbortSignal
}

/** Starts an MCP server and makes tools of what it offers. */
export async function openMcpSession(options: McpSessionOptions): Promise<ToolSession> {
  const { where, limits, choice, signal } = options
  const environment = { ...inherited(), ...options.launch.environment }
  const connection = await connect({ ...options.launch, environment }, { where, startMs: limits.startMs, signal })
  const { transport, server } = connection
  const offersNow = async (asked: AbortSignal): Promise<readonly Offer[]> =>
    offeredTools(await connection.listTools(asked), choice, where)
  try {
    const offers = await offersNow(signal)
    const tools = offers.map((offer) => toolOf(offer, connection, options))
    for (const offer of tools) await checkSchema(offer, where, signal)
    return {
      tools,
      offer: { server, tools: offersJson(offers) },
      ending: () => transport.ending(),
      async change(asked) {
        return connection.saysChanged() ? changeOf(offers, await offersNow(asked)) : null
      },
      close: () => transport.close(),
    }
  } catch (cause) {
    await transport.close()
    if (cause instanceof EvalkitError) throw cause
    throw new EvalkitError(`an MCP server does not list its tools: ${messageOf(cause)}${logged(transport)}`, {
      code: "mcp_server",
      where,
      cause,
      exitCode: ExitCode.usage,
    })
  }
}

function toolOf(offer: Offer, { client, transport }: Connection, options: McpSessionOptions): Tool {
  const { limits, faults } = options
  const { serverName, name, description, parameters, isReadOnly } = offer
  const { timeoutMs, maxResultCharacters } = limits
  const effects = options.effects(serverName, isReadOnly)
  const made = tool({
    name,
    ...(description !== undefined && { description }),
    parameters: { type: "object", ...parameters },
    effects,
    timeoutMs,
    maxResultCharacters,
    ...(faults && { faults }),
    async run(input, { signal }) {
      if (signal.aborted) throw new Error("the call was cancelled")
      try {
        // The time limit is the tool's own; the SDK tells the server that the call is cancelled.
        const result = await client.request(
          { method: "tools/call", params: { name: serverName, arguments: input } },
          (await importMcp<typeof import("@modelcontextprotocol/sdk/types.js")>("types.js")).CallToolResultSchema,
          { signal, timeout: timeoutMs + 60_000 },
        )
        const text = resultText(result)
        if (result.isError) throw new ToolError(text === "" ? "the tool failed" : text)
        return text
      } catch (error) {
        const ending = error instanceof ToolError ? null : transport.ending()
        throw ending === null ? error : new Error(`the MCP server has ended (${ending})`)
      }
    },
  })
  const identity = { name, serverName, description: description ?? null, parameters, effects }
  return { ...made, identity }
}

/** A result by which the tool itself says that it failed. */
class ToolError extends Error {}

/** A schema that cannot be compiled would make each call of the tool fail. */
async function checkSchema(offer: Tool, where: string, signal: AbortSignal): Promise<void> {
  try {
    const { toolSchema } = await import("../schema.ts")
    signal.throwIfAborted()
    await toolSchema(offer.parameters, where).check({})
  } catch (cause) {
    throw new EvalkitError(`the schema of its tool ${JSON.stringify(offer.name)} cannot be used: ${messageOf(cause)}`, {
      code: "mcp_tools",
      where,
      hint: "leave the tool out by include",
      cause,
    })
  }
}

const offersJson = (offers: readonly Offer[]): JsonValue => JSON.parse(JSON.stringify(offers)) as JsonValue

/** How a list of tools differs from an earlier one; null where it does not. */
function changeOf(before: readonly Offer[], after: readonly Offer[]): string | null {
  const names = (offers: readonly Offer[]) =>
    new Map(offers.map((offer) => [offer.name, canonicalJson(offersJson([offer]))]))
  const [was, is] = [names(before), names(after)]
  const parts = [
    ...[...was.keys()].filter((name) => !is.has(name)).map((name) => `${name} is gone`),
    ...[...is.keys()].filter((name) => !was.has(name)).map((name) => `${name} is new`),
    ...[...was].filter(([name, text]) => is.has(name) && is.get(name) !== text).map(([name]) => `${name} is another`),
  ]
  return parts.length === 0 ? null : parts.slice(0, 10).join(", ")
}

/** What programs need to start at all; keys of this process are not handed on. */
function inherited(): Record<string, string> {
  const names =
    process.platform === "win32"
      ? [
          "APPDATA",
          "HOMEDRIVE",
          "HOMEPATH",
          "LOCALAPPDATA",
          "PATH",
          "SYSTEMDRIVE",
          "SYSTEMROOT",
          "TEMP",
          "USERNAME",
          "USERPROFILE",
        ]
      : ["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER"]
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}

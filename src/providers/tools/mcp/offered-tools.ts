import type { Tool as OfferedTool } from "@modelcontextprotocol/sdk/types.js"
import { nearest } from "../../../core/did-you-mean.ts"
import { UsageError } from "../../../core/errors.ts"
import type { JsonObject } from "../../../core/json.ts"
import { redactSecrets } from "../../../text/secrets.ts"

/** A tool of a server, as a model is offered it. */
export interface Offer {
  /** As the server calls it. */
  readonly serverName: string
  /** As services take it. */
  readonly name: string
  readonly description?: string
  readonly parameters: JsonObject
  /** The server says of itself that calling it changes nothing. */
  readonly isReadOnly: boolean
}

/** Characters of what a server may say of one tool. */
export const most = { description: 4000, schema: 100_000 }

/** Which tools of a server are offered, and how they are called. */
export interface Choice {
  readonly include?: readonly string[]
  readonly prefix?: string
}

/**
 * The tools that are wanted, in the order of their names, with what the server says of them held within bounds.
 * @throws UsageError for a wanted tool that there is not, a schema that is no object's or too large, and names that clash
 */
export function offeredTools(
  listed: readonly OfferedTool[],
  { include, prefix = "" }: Choice,
  where: string,
): readonly Offer[] {
  const names = listed.map(({ name }) => name)
  for (const name of include ?? []) {
    if (names.includes(name)) continue
    const meant = nearest(name, names)
    throw new UsageError(`it has no tool ${quoted(name)}`, {
      code: "mcp_tools",
      where,
      hint: meant ? `did you mean ${quoted(meant)}?` : `it has ${names.map(quoted).join(", ") || "none"}`,
    })
  }
  const offers = listed
    .filter(({ name }) => include === undefined || include.includes(name))
    .map((tool) => offerOf(tool, prefix, where))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  for (const [index, { name, serverName }] of offers.entries())
    if (offers[index + 1]?.name === name)
      throw new UsageError(`two of its tools would be called ${quoted(name)}: ${quoted(serverName)} is one`, {
        code: "mcp_tools",
        where,
        hint: "choose one of them by include",
      })
  return offers
}

function offerOf(tool: OfferedTool, prefix: string, where: string): Offer {
  const name = `${prefix}${tool.name}`.replace(/[^\w-]/g, "_")
  const text = JSON.stringify(tool.inputSchema)
  const bad = (what: string) => new UsageError(`its tool ${quoted(tool.name)} ${what}`, { code: "mcp_tools", where })
  if (name === "" || name.length > 64) throw bad("has a name that services do not take: 1 to 64 characters")
  if (text.length > most.schema) throw bad(`has a schema of ${text.length} characters, more than ${most.schema}`)
  // The dialect is left out: services refuse it, and what tools use is alike in all.
  const { $schema: _dialect, ...parameters } = JSON.parse(redactSecrets(text)) as JsonObject
  const description = tool.description === undefined ? undefined : redactSecrets(tool.description)
  return {
    serverName: tool.name,
    name,
    parameters,
    ...(description !== undefined && {
      description: description.length > most.description ? `${description.slice(0, most.description)} …` : description,
    }),
    isReadOnly: tool.annotations?.readOnlyHint === true,
  }
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 100))

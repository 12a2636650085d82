import type { JsonValue } from "../json.ts"
import type { OpenSample, Tool } from "./design.ts"

/** Surroundings in which a source of tools is opened. @experimental */
export interface ToolSourceContext {
  /** Ends what is under way. */
  readonly signal: AbortSignal
  /** State of the episode that it is opened for; of a first one, made to see its tools, before a run. */
  readonly state: unknown
  readonly sample: OpenSample
}

/** Tools that can be called, until the source is closed. @experimental */
export interface ToolSession {
  readonly tools: readonly Tool[]
  /** Everything that is offered by it, for a fingerprint: names, schemas, versions. */
  readonly offer: JsonValue
  /** Why its tools can be called no more; null while they can. */
  ending(): string | null
  /** What changed in its offer since it was opened; null where nothing did. Asks only where the source said that something did. */
  change(signal: AbortSignal): Promise<string | null>
  /** Idempotent. */
  close(): Promise<void>
}

/**
 * Where tools come from that are not known before something is started, such as an MCP server: made by `mcpTools()`. Nothing happens
 * before `open`.
 * @experimental
 */
export interface ToolSource {
  /** For people: `MCP server files`. */
  readonly label: string
  /** Whom one opening serves: all episodes of a variant, or one episode. */
  readonly each: "variant" | "episode"
  /** Everything that changes what its tools give, as far as it is known before it is opened; without secrets. */
  readonly identity: JsonValue
  /** @throws EvalkitError where it cannot be started, does not answer in time, or offers tools that cannot be used */
  open(context: ToolSourceContext): Promise<ToolSession>
}

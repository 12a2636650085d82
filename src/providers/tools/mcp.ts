import type { OpenSample, ToolEffects } from "../../core/episode/design.ts"
import type { ToolSource } from "../../core/episode/tool-source.ts"
import { UsageError } from "../../core/errors.ts"
import { contentHash } from "../../core/json.ts"
import { checkOptions } from "../../core/options.ts"
import { environmentSecrets, rememberSecrets } from "../../text/secrets.ts"
import { argumentSecrets, shownArguments } from "../server/shown-arguments.ts"
import { openMcpSession } from "./mcp/session.ts"
import type { ToolFaults } from "./tool.ts"

/** What of a server's start an episode decides. @public */
export interface McpLaunch {
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Options of {@link mcpTools}. @public */
export interface McpToolsOptions<State = unknown> {
  /** For people. Default: the program's name. */
  readonly name?: string
  /** The program that is started, without a shell. */
  readonly command: string
  readonly args?: readonly string[]
  /**
   * Variables of its environment, besides those without which programs do not start (`PATH`, `HOME` …); keys of evalkit's own
   * environment are not handed on. Their values are in no fingerprint.
   */
  readonly environment?: Readonly<Record<string, string>>
  /** Its working directory. Default: that of evalkit. */
  readonly cwd?: string
  /** Names of its tools that are offered. Default: all. */
  readonly include?: readonly string[]
  /** Put before each name, where names of several sources clash. Default: nothing. */
  readonly prefix?: string
  /**
   * Whom one process of it serves: all episodes of a variant, or one episode, where it holds a state of its own. Default: `"variant"`.
   */
  readonly each?: "variant" | "episode"
  /** With `each: "episode"`: how it is started for an episode, from the episode's state and its sample without the answer key. */
  readonly launch?: (context: { readonly state: State; readonly sample: OpenSample }) => McpLaunch
  /**
   * What calling its tools changes, for all of them or by name: see `tool()`. `"state"` where the server's own memory is all that is
   * changed, so that an episode that was killed begins anew. Default: `"none"` where the server says that a tool only reads, else
   * `"outside"`: such a call is made once, whatever becomes of the process.
   */
  readonly effects?: ToolEffects | Readonly<Record<string, ToolEffects>>
  /** Milliseconds that a call may take. Default: 30,000. */
  readonly timeoutMs?: number
  /** Milliseconds that it may take to start and to list its tools. Default: 30,000. */
  readonly startMs?: number
  /** Characters of a result that a model is given, at most. Default: 20,000. */
  readonly maxResultCharacters?: number
  /** Errors that are made on purpose. Default: none. */
  readonly faults?: ToolFaults
  /** Change it when something changes that the command, its arguments and the server's version do not show. */
  readonly version?: string
}

/**
 * The tools of an MCP server over stdio (Model Context Protocol, https://modelcontextprotocol.io), for `episode({ tools: [...] })`. A run
 * starts the server before anything is asked: its tools' names, descriptions and schemas belong to the fingerprint of the variant. The
 * server ends with evalkit, however evalkit ends. Needs the optional package @modelcontextprotocol/sdk.
 *
 * What a server says is given to the model that is tested and to nobody else: bounded, and in no judge's prompt.
 *
 * @throws UsageError for options that are not as they must be
 * @example
 * episode({ tools: [mcpTools({ command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "notes"], include: ["read_file"] })] })
 * @experimental
 */
export function mcpTools<State = unknown>(options: McpToolsOptions<State>): ToolSource {
  checkOptions("mcpTools", options as McpToolsOptions)
  const { command, args = [], environment = {}, cwd, include, each = "variant", launch, effects } = options
  const label = `MCP server ${options.name ?? command.split(/[\\/]/).at(-1)}`
  const where = `mcpTools({ command: ${JSON.stringify(command)} })`
  const bad = (what: string) => new UsageError(what, { where })
  if (command === "") throw bad("an MCP server needs a command")
  if (launch && each !== "episode") throw bad('launch goes with each: "episode" only')
  for (const [name, limit] of Object.entries({ timeoutMs: options.timeoutMs, startMs: options.startMs }))
    if (limit !== undefined && !(limit > 0 && limit <= 3_600_000)) throw bad(`${name} is above 0, at most an hour`)
  if (options.maxResultCharacters !== undefined && !(options.maxResultCharacters >= 1))
    throw bad("maxResultCharacters is at least 1")
  rememberSecrets(environmentSecrets(environment))
  const { timeoutMs = 30_000, startMs = 30_000, maxResultCharacters = 20_000, faults, prefix, version } = options
  return {
    label,
    each,
    identity: {
      kind: "mcp",
      command,
      args: shownArguments(args),
      environment: Object.keys(environment).toSorted(),
      cwd: cwd === undefined ? null : contentHash(cwd),
      include: include ?? null,
      prefix: prefix ?? null,
      each,
      launch: launch ? contentHash(Function.prototype.toString.call(launch)) : null,
      effects: typeof effects === "object" ? { ...effects } : (effects ?? null),
      timeoutMs,
      maxResultCharacters,
      faults: faults ? { ...faults } : null,
      version: version ?? null,
    },
    open({ signal, state, sample }) {
      const own = launch?.({ state: state as State, sample })
      const directory = own?.cwd ?? cwd
      rememberSecrets([...environmentSecrets(own?.environment ?? {}), ...argumentSecrets(own?.args ?? [])])
      return openMcpSession({
        where: label,
        launch: {
          command,
          args: own?.args ?? args,
          environment: { ...environment, ...own?.environment },
          ...(directory !== undefined && { cwd: directory }),
        },
        choice: { ...(include && { include }), ...(prefix !== undefined && { prefix }) },
        effects: (tool, isReadOnly) =>
          (typeof effects === "object" ? effects[tool] : effects) ?? (isReadOnly ? "none" : "outside"),
        limits: { timeoutMs, startMs, maxResultCharacters },
        ...(faults && { faults }),
        signal,
      })
    },
  }
}

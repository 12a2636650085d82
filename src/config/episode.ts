import type { EpisodeDesign, HistoryPolicy, OpenSample, SimulatedUser, Tool } from "../core/episode/design.ts"
import type { ToolSource } from "../core/episode/tool-source.ts"
import { UsageError } from "../core/errors.ts"
import { contentHash, type JsonValue } from "../core/json.ts"
import { checkOptions } from "../core/options.ts"
import { isSimulatedUser } from "./simulated-user.ts"

/** Options of {@link episode}. @public */
export interface EpisodeOptions {
  /** Tools that the model may call, made by `tool()` or offered by `mcpTools()`; their names must differ. Default: none. */
  readonly tools?: readonly (Tool | ToolSource)[]
  /**
   * State that each episode begins with, made anew for each: what tools read and change. It gets the sample without its answer key. At the
   * end its JSON is kept, for `finalState()`. Default: none.
   */
  readonly state?: (sample: OpenSample) => unknown
  /** Answers of the model to one turn of the user, at most; then the episode ends as `step_limit`. Default: 20. */
  readonly maxSteps?: number
  /**
   * What the model is shown of the earlier turns: `"full"`, `{ last: k }`, or `{ last: k, summary: { provider } }`, where a model sums up what
   * came before the last k. The system message and examples are always shown. Default: `"full"`.
   *
   * The summary is written anew for each turn from the one before it and the turn that falls out, at temperature 0; it stands before the
   * words of the first turn that is shown. Its calls are kept and paid for as those of judges are, apart from the variant's cost and time: add
   * them where you would pay for them. Where one fails, the episode ends as `application_error`.
   */
  readonly history?: HistoryPolicy
  /**
   * What stands for the answers to earlier turns: the variant's own, or the sample's references, so that every variant answers a turn from
   * the same place. Default: `"own"`.
   */
  readonly answers?: "own" | "reference"
  /** A model that plays the user, made by `simulatedUser()`; turns that a sample holds are said first. Default: none. */
  readonly user?: SimulatedUser
}

/**
 * How a variant goes through conversations and loops over tools: each sample is then one episode of several steps, which are measured,
 * paid for and kept together. An episode whose process ends goes on at the step where it stopped; where its tools have changed its
 * state, it begins anew, and the report says so.
 *
 * @throws UsageError for options that are not as they must be
 * @example
 * variant({ provider: openai({ model: "gpt-5.4-mini" }), episode: episode({ tools: [search], maxSteps: 8 }) })
 * @public
 */
export function episode(options: EpisodeOptions = {}): EpisodeDesign {
  checkOptions("episode", options)
  const { maxSteps = 20, history = "full", answers = "own", state, user } = options
  const { tools, sources } = sortedTools(options.tools ?? [])
  if (!Number.isInteger(maxSteps) || maxSteps < 1 || maxSteps > allowedSteps)
    throw bad(`maxSteps: expected a whole number from 1 to ${allowedSteps}, got ${maxSteps}`)
  if (history !== "full") checkHistory(history)
  if (user !== undefined && !isSimulatedUser(user))
    throw bad("user: expected what simulatedUser({ provider, goal }) makes")
  return {
    tools,
    maxSteps,
    history,
    answers,
    ...(sources.length > 0 && { sources }),
    identity: {
      tools: tools.map(({ identity }) => identity),
      ...(sources.length > 0 && { sources: sources.map(({ identity }) => identity) }),
      maxSteps,
      history: historyIdentity(history),
      answers,
      state: state ? contentHash(Function.prototype.toString.call(state)) : null,
      ...(user && { user: user.identity }),
    },
    ...(user && { user }),
    ...(state && { state }),
  }
}

function checkHistory(history: Exclude<HistoryPolicy, "full">): void {
  if (!(Number.isInteger(history?.last) && history.last >= 0))
    throw bad(`history: expected "full", { last: a whole number from 0 on } or { last, summary: { provider } }`)
  const { summary } = history
  if (summary === undefined) return
  const { provider, maxCharacters = 1 } = summary
  if (typeof provider?.open !== "function")
    throw bad("history.summary.provider: expected a provider such as openai({ model })")
  if (!Number.isInteger(maxCharacters) || maxCharacters < 1 || maxCharacters > 1_000_000)
    throw bad(`history.summary.maxCharacters: expected a whole number from 1 to 1000000, got ${maxCharacters}`)
}

/** Everything that changes what the model is shown. */
function historyIdentity(history: HistoryPolicy): JsonValue {
  if (history === "full") return history
  const { last, summary } = history
  if (!summary) return { last }
  const { provider, parameters = {}, maxCharacters = null } = summary
  const value = JSON.parse(JSON.stringify(parameters)) as JsonValue
  return { last, summary: { provider: provider.identity, parameters: value, maxCharacters, prompt: summaryVersion } }
}

/** Tools that are known, and where others come from. */
function sortedTools(all: readonly (Tool | ToolSource)[]): {
  readonly tools: readonly Tool[]
  readonly sources: readonly ToolSource[]
} {
  const tools: Tool[] = []
  const sources: ToolSource[] = []
  all.forEach((tool, index) => {
    if (isSource(tool)) sources.push(tool)
    else if (typeof tool?.call !== "function" || typeof tool.name !== "string")
      throw bad(`tools[${index}]: expected what tool({ name, parameters, run }) or mcpTools({ command }) makes`)
    else if (tools.some(({ name }) => name === tool.name))
      throw bad(`tools[${index}]: there is another tool with the name ${JSON.stringify(tool.name)}`)
    else tools.push(tool)
  })
  return { tools, sources }
}

function isSource(value: Tool | ToolSource): value is ToolSource {
  return typeof value === "object" && value !== null && "open" in value && typeof value.open === "function"
}

/** More steps than any task needs, and as many as an archive may hold. */
const allowedSteps = 1000

function bad(message: string): UsageError {
  return new UsageError(message, { where: "episode(...)" })
}

/** Whether a value can be used as the design of episodes. */
export function isEpisodeDesign(value: unknown): value is EpisodeDesign {
  return (
    typeof value === "object" &&
    value !== null &&
    "tools" in value &&
    Array.isArray(value.tools) &&
    "maxSteps" in value &&
    "history" in value &&
    "identity" in value
  )
}

/** Changes whenever the words do that ask for a summary of a conversation, or that show it. */
const summaryVersion = 1

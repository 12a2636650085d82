import { asList, asMembers, asText, type Members } from "../../core/json-members.ts"
import type { ToolAssembler } from "../tool-calls.ts"
import type { JoinedText } from "./joined-text.ts"
import { isThought, readThinking, thoughtText } from "./thinking.ts"

/** What the answer is so far. */
export interface SaidSoFar {
  readonly content: JoinedText
  readonly reasoning: JoinedText
  readonly refusal: JoinedText
  readonly tools: ToolAssembler
}

/** What a choice adds. */
export interface Said {
  readonly content: string
  readonly reasoning: string
  /** What of tool calls it carried. */
  readonly tool: string
  readonly hasRole: boolean
}

/**
 * Takes what a choice says into the answer: its `delta`, which is a piece. A `message` is the whole answer once more where pieces came before,
 * and a piece where a stream has nothing else; beside a delta that says something it is not looked at.
 *
 * @param object `chat.completion.chunk` of a piece, `chat.completion` of a whole
 */
export function readSaid(choice: Members, object: string, soFar: SaidSoFar): Said {
  const delta = asMembers(choice.delta)
  const message = asMembers(choice.message)
  const said = readParts(delta ?? {})
  const calls = delta?.tool_calls
  const isPiece = !message || said.content || said.reasoning || said.refusal || asList(calls).length > 0
  const hasRole = delta !== null && "role" in delta
  if (isPiece) {
    const content = said.content || (message ? "" : asText(choice.text))
    soFar.content.add(content)
    soFar.reasoning.add(said.reasoning)
    soFar.refusal.add(said.refusal)
    return { content, reasoning: said.reasoning, tool: soFar.tools.add(calls), hasRole }
  }
  const whole = readParts(message)
  const isWhole = object === "chat.completion" || asText(choice.finish_reason) !== ""
  const take = (text: JoinedText, value: string): string => {
    const before = text.text()
    if (isWhole || before === "" || (value.startsWith(before) && value.length > before.length))
      return text.addWhole(value)
    text.add(value)
    return value
  }
  const content = take(soFar.content, whole.content)
  const reasoning = take(soFar.reasoning, whole.reasoning)
  take(soFar.refusal, whole.refusal)
  const tool = soFar.tools.isEmpty() ? soFar.tools.add(message.tool_calls) : ""
  return { content, reasoning, tool, hasRole }
}

/** Content may be a text or a list of typed parts, of which some are thinking. */
function readParts(delta: Members): { readonly content: string; readonly reasoning: string; readonly refusal: string } {
  let content = asText(delta.content)
  let reasoning = readThinking(delta)
  let refusal = asText(delta.refusal)
  if (content && isThought(delta)) return { content: "", reasoning: reasoning || content, refusal }
  if (!Array.isArray(delta.content)) return { content, reasoning, refusal }
  for (const item of delta.content) {
    const part = asMembers(item)
    if (/^(?:thinking|reasoning)/.test(asText(part?.type))) reasoning += thoughtText(part?.thinking ?? part)
    else if (part?.type === "refusal") refusal += asText(part.refusal)
    else content += asText(part?.text)
  }
  return { content, reasoning, refusal }
}

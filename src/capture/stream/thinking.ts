import { asList, asMembers, asText, type Members } from "../../core/json-members.ts"

/** Under which a message or its delta holds thinking as a text: DeepSeek, vLLM; OpenRouter, Groq; LM Studio; Ollama; others. */
const textNames = [
  "reasoning_content",
  "reasoning",
  "reasoning_text",
  "thinking",
  "thinking_content",
  "thought",
  "thoughts",
  "reasoning_summary",
  "chain_of_thought",
] as const

/** Under which it is a list of pieces: OpenRouter, MiniMax; LiteLLM. */
const listNames = ["reasoning_details", "thinking_blocks"] as const

/** Under which a piece holds its text. */
const pieceNames = ["text", "thinking", "reasoning", "summary", "content"] as const

/**
 * The thinking of a message or a delta, by whichever of its names: gateways write it under several at once, of which the first counts.
 *
 * @example readThinking({ reasoning_details: [{ type: "reasoning.text", text: "hm" }] }) // "hm"
 */
export function readThinking(delta: Members): string {
  for (const name of textNames) {
    const value = delta[name]
    if (value === undefined) continue
    const text = thoughtText(value)
    if (text) return text
  }
  for (const name of listNames) {
    if (delta[name] === undefined) continue
    const text = asList(delta[name]).map(thoughtText).join("")
    if (text) return text
  }
  // LiteLLM hands on there what it does not know.
  const { provider_specific_fields: others } = delta
  return others ? readThinking(asMembers(others) ?? {}) : ""
}

/** Whether the content of a message or a delta is a thought: so Gemini's compatible interface marks it. */
export function isThought({ thought, extra_content }: Members): boolean {
  return thought === true || asMembers(asMembers(extra_content)?.google)?.thought === true
}

/** A thought: a text, an object with one, or a list of those. */
export function thoughtText(value: unknown): string {
  if (typeof value === "string") return value
  if (Array.isArray(value)) return value.map(thoughtText).join("")
  const piece = asMembers(value)
  if (!piece) return ""
  for (const name of pieceNames) {
    const text = asText(piece[name]) || (Array.isArray(piece[name]) ? thoughtText(piece[name]) : "")
    if (text) return text
  }
  return ""
}

import type { ReadEvents } from "../../../src/capture/read-answer.ts"
import { readChunks } from "../../../src/capture/read-chunks.ts"
import { readAnthropic } from "../../../src/providers/anthropic/read.ts"
import { readCohere } from "../../../src/providers/cohere/read.ts"
import { readGemini } from "../../../src/providers/gemini/read.ts"
import { parsePath } from "../../../src/providers/http/path.ts"
import { readByPaths } from "../../../src/providers/http/read-events.ts"
import { readResponses } from "../../../src/providers/openai/responses/read.ts"
import type { Counts, Specimen } from "./specimen.ts"
import type { WrittenEvent } from "./wire.ts"

/** How an interface writes a stream, in one of the forms that are in the wild. */
export interface Interface {
  readonly name: string
  readonly read: ReadEvents
  /** Without a mark of its own, an answer has ended with its body. */
  readonly ends: "with a mark" | "with a word" | "with the body"
  readonly hasTools: boolean
  /** Whether it states the tokens of thinking apart, and those that were cached. */
  readonly states: { readonly reasoning: boolean; readonly cached: boolean }
  write(specimen: Specimen): Parts
}

/** Events in three parts: an error, or the end of the body, may stand between them. */
export interface Parts {
  readonly opening: readonly WrittenEvent[]
  /** Of each word; pieces of thinking stand before the first. */
  readonly words: readonly WrittenEvent[]
  readonly closing: readonly WrittenEvent[]
  /** Whether the counts are in one of them. */
  readonly isCounted: boolean
  /** Whether each word's event states how many tokens there are by now. */
  readonly isRunning?: boolean
}

/** The usage of OpenAI's chat completions after so many tokens. */
function chatUsage({ prompt, cached, reasoning }: Counts, completion: number, isBeside: boolean) {
  const names = ["cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens"]
  const cachedAs = names[(prompt + cached) % 4]
  return {
    prompt_tokens: isBeside ? prompt - cached : prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached > 0 && (cachedAs ? { [cachedAs]: cached } : { prompt_tokens_details: { cached_tokens: cached } })),
    ...(reasoning > 0 && completion > 0 && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  }
}

const nothing = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

const thoughtForms: readonly ((text: string) => object)[] = [
  (text) => ({ reasoning_content: text }),
  (text) => ({ reasoning: text, reasoning_details: [{ type: "reasoning.text", text }] }),
  (text) => ({ reasoning_details: [{ type: "reasoning.text", text }] }),
  (text) => ({ thinking_blocks: [{ type: "thinking", thinking: text }] }),
  (text) => ({ content: [{ type: "thinking", thinking: [{ type: "text", text }] }] }),
  (text) => ({ thoughts: text }),
  (text) => ({ provider_specific_fields: { reasoning_content: text } }),
  (text) => ({ content: text, extra_content: { google: { thought: true } } }),
]

const chat: Interface = {
  name: "chat completions",
  read: readChunks,
  ends: "with a mark",
  hasTools: true,
  states: { reasoning: true, cached: true },
  write({ words, thoughts, tool, end, isMarked, counts, draw }) {
    const object = "chat.completion.chunk"
    const indexOf = draw.of([() => 0, () => 1, () => "0", (i: number) => i, () => null])
    const form = draw.of(["delta", "delta", "delta", "parts", "growing", "both", "pairs"] as const)
    const isRunning = counts?.form === "good" && form !== "pairs" && draw.chance(0.25)
    const isBeside = draw.chance(0.3)
    const unsaid = end ? draw.of([null, "", "null"]) : null
    let written = counts?.reasoning ?? 0
    const running = (tokens = 0): object => {
      written += tokens
      return isRunning && counts ? { usage: chatUsage(counts, written, isBeside) } : {}
    }
    const chunk = (i: number, said: object, rest: object = {}): WrittenEvent => ({
      data: { object, choices: [{ index: indexOf(i), ...said, finish_reason: unsaid }], ...rest },
      ...(i > 0 && form === "delta" && !isRunning && draw.chance(0.05) && { isJoined: true }),
    })
    const ofWord = (word: string, i: number): object => {
      const soFar = words.slice(0, i + 1).join("")
      if (form === "parts") return { delta: { content: [{ type: "text", text: word }] } }
      if (form === "growing") return { message: { role: "assistant", content: soFar } }
      return { delta: { content: word }, ...(form === "both" && { message: { content: word } }) }
    }
    const pieces = words.map((word, i) => chunk(i, ofWord(word, i), running(counts?.ofWords[i])))
    const thought = draw.of(thoughtForms)
    const call = tool && { index: 0, id: tool.id, type: "function", function: { name: tool.name, arguments: "" } }
    const json = tool ? JSON.stringify(tool.arguments) : ""
    const calls = call
      ? [
          call,
          { index: 0, function: { arguments: json.slice(0, 4) } },
          { index: 0, function: { arguments: json.slice(4) } },
        ]
      : []
    const last = { index: indexOf(words.length - 1), finish_reason: end?.word ?? null }
    const stated =
      counts &&
      {
        good: chatUsage(counts, counts.completion, isBeside),
        zero: { ...chatUsage(counts, 0, false), total_tokens: counts.prompt },
        zeroAtEnd: chatUsage(counts, counts.completion, isBeside),
      }[counts.form]
    const location = draw.of(["chunk", "chunk", "chunk", "choice", "delta", "x_groq"] as const)
    const isInChoice = location === "choice" || location === "delta"
    const whole = {
      object: "chat.completion",
      choices: [{ ...last, message: { role: "assistant", content: words.join("") } }],
    }
    const counted = isInChoice && stated ? { usage: stated } : {}
    const ending = {
      ...{
        object,
        choices: [{ ...last, delta: location === "delta" ? counted : {}, ...(location === "choice" && counted) }],
      },
    }
    const usageFields = location === "x_groq" ? { x_groq: { usage: stated } } : { usage: stated }
    return {
      opening: [
        ...(draw.chance(0.5)
          ? [{ data: { object, choices: [{ index: 0, delta: { role: "assistant", content: "" } }] } }]
          : []),
        ...thoughts.map((text) => ({ data: { object, choices: [{ index: indexOf(0), delta: thought(text) }] } })),
      ],
      words: form === "pairs" ? paired(pieces) : pieces,
      closing: [
        ...calls.map((entry) => ({ data: { object, choices: [{ index: 0, delta: { tool_calls: [entry] } }] } })),
        { data: draw.chance(0.2) && !isInChoice ? whole : ending },
        ...(stated && !isInChoice ? [{ data: { object, choices: [], ...usageFields } }] : []),
        ...(counts?.form === "zeroAtEnd" ? [{ data: { object, choices: [], usage: nothing } }] : []),
        ...(isMarked ? [{ data: draw.of(["[DONE]", "[DONE]", '"[DONE]"']) }] : []),
      ],
      isCounted: true,
      isRunning,
    }
  },
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Two choices in an event, as clumping gateways write them; of an odd number the last is alone. */
function paired(pieces: readonly WrittenEvent[]): readonly WrittenEvent[] {
  return Array.from({ length: Math.ceil(pieces.length / 2) }, (_, i) => {
    const both = pieces.slice(2 * i, 2 * i + 2).map(({ data }) => data as { readonly choices: readonly object[] })
    return { data: { ...both[0], choices: both.flatMap(({ choices }) => choices) } }
  })
}

const gemini: Interface = {
  name: "gemini",
  read: readGemini,
  ends: "with a word",
  hasTools: true,
  states: { reasoning: true, cached: true },
  write({ words, thoughts, tool, end, counts, draw }) {
    const isRunning = draw.chance(0.5)
    const usage = (words: number, isAtEnd: boolean): object => {
      if (!counts || (!isRunning && !isAtEnd)) return {}
      const { prompt, cached, reasoning, form } = counts
      const candidates = form === "zero" ? 0 : sumOf(counts.ofWords.slice(0, words))
      return {
        usageMetadata: {
          promptTokenCount: prompt,
          ...(cached > 0 && { cachedContentTokenCount: cached }),
          candidatesTokenCount: candidates,
          ...(reasoning > 0 && form !== "zero" && { thoughtsTokenCount: reasoning }),
          totalTokenCount: prompt + candidates + reasoning,
        },
      }
    }
    const chunk = (part: object, said: number): WrittenEvent => ({
      data: { candidates: [{ content: { role: "model", parts: [part] } }], ...usage(said, false) },
    })
    const none = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 }
    return {
      opening: thoughts.map((text) => chunk({ thought: true, text }, 0)),
      words: words.map((text, i) => chunk({ text }, i + 1)),
      closing: [
        ...(tool
          ? [chunk({ functionCall: { id: tool.id, name: tool.name, args: tool.arguments } }, words.length)]
          : []),
        {
          data: {
            candidates: [{ content: { parts: [] }, ...(end && { finishReason: end.word }) }],
            ...usage(words.length, true),
          },
        },
        ...(counts?.form === "zeroAtEnd" ? [{ data: { candidates: [], usageMetadata: none } }] : []),
      ],
      isCounted: true,
      isRunning,
    }
  },
}

const anthropic: Interface = {
  name: "anthropic",
  read: readAnthropic,
  ends: "with a mark",
  hasTools: true,
  states: { reasoning: false, cached: true },
  write({ words, thoughts, tool, end, isMarked, counts, draw }) {
    const isNamed = draw.chance(0.7)
    const event = (type: string, rest: object = {}): WrittenEvent => ({
      data: { type, ...rest },
      ...(isNamed && { name: type }),
    })
    const block = (index: number, start: object, deltas: readonly object[]): readonly WrittenEvent[] => [
      event("content_block_start", { index, content_block: start }),
      ...deltas.map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ]
    const { prompt = 0, cached = 0, completion = 0, form = "good" } = counts ?? {}
    const begun = {
      input_tokens: prompt - cached,
      ...(cached > 0 && { cache_read_input_tokens: cached }),
      output_tokens: 1,
    }
    const usage = { output_tokens: form === "zero" ? 0 : completion, ...(draw.chance(0.3) && { input_tokens: 0 }) }
    const deltas = thoughts.map((thinking) => ({ type: "thinking_delta", thinking }))
    const text = JSON.stringify(tool?.arguments ?? {})
    return {
      opening: [
        event("message_start", { message: { model: "m", content: [], ...(counts && { usage: begun }) } }),
        ...(draw.chance(0.3) ? [event("ping")] : []),
        ...(deltas.length > 0 ? block(0, { type: "thinking", thinking: "" }, deltas) : []),
        event("content_block_start", { index: 1, content_block: { type: "text", text: "" } }),
      ],
      words: words.map((word) => event("content_block_delta", { index: 1, delta: { type: "text_delta", text: word } })),
      closing: [
        event("content_block_stop", { index: 1 }),
        ...(tool
          ? block(2, { type: "tool_use", id: tool.id, name: tool.name, input: {} }, [
              { type: "input_json_delta", partial_json: text.slice(0, 5) },
              { type: "input_json_delta", partial_json: text.slice(5) },
            ])
          : []),
        event("message_delta", { delta: { stop_reason: end?.word ?? null }, ...(counts && { usage: usage }) }),
        ...(form === "zeroAtEnd" ? [event("message_delta", { delta: {}, usage: { output_tokens: 0 } })] : []),
        ...(isMarked ? [event("message_stop")] : []),
      ],
      isCounted: true,
    }
  },
}

const cohere: Interface = {
  name: "cohere",
  read: readCohere,
  ends: "with a mark",
  hasTools: true,
  states: { reasoning: false, cached: false },
  write({ words, thoughts, tool, end, isMarked, counts }) {
    const content = (said: object): WrittenEvent => ({
      data: { type: "content-delta", index: 0, delta: { message: { content: said } } },
    })
    const call = (type: string, calls: object): WrittenEvent => ({
      data: { type, index: 0, delta: { message: { tool_calls: calls } } },
    })
    const output = counts?.form === "zero" ? 0 : counts?.completion
    const usage = counts && { billed_units: { input_tokens: counts.prompt, output_tokens: output } }
    return {
      opening: [{ data: { type: "message-start" } }, ...thoughts.map((thinking) => content({ thinking }))],
      words: words.map((text) => content({ text })),
      closing: [
        { data: { type: "content-end", index: 0 } },
        ...(tool
          ? [
              call("tool-call-start", { id: tool.id, type: "function", function: { name: tool.name, arguments: "" } }),
              call("tool-call-delta", { function: { arguments: JSON.stringify(tool.arguments) } }),
            ]
          : []),
        ...(isMarked || end
          ? [
              {
                data: {
                  type: "message-end",
                  delta: { ...(end && { finish_reason: end.word }), ...(usage && { usage }) },
                },
              },
            ]
          : []),
      ],
      isCounted: isMarked || end !== null,
    }
  },
}

const application: Interface = {
  name: "http()",
  read: readByPaths({
    answer: parsePath("data.text", "answer"),
    reasoning: parsePath("data.thought", "reasoning"),
    usage: parsePath("$", "usage"),
    finishReason: parsePath("why", "finishReason"),
  }),
  ends: "with the body",
  hasTools: false,
  states: { reasoning: true, cached: true },
  write({ words, thoughts, end, isMarked, counts, draw }) {
    const isBeside = draw.chance(0.3)
    const stated =
      counts && chatUsage(counts, counts.form === "zero" ? 0 : counts.completion, isBeside && counts.form === "good")
    const isRunning = counts?.form === "good" && draw.chance(0.3)
    const soFar = (i: number) =>
      isRunning ? chatUsage(counts, counts.reasoning + sumOf(counts.ofWords.slice(0, i + 1)), isBeside) : {}
    const progress = draw.of([{ type: "status", message: "reading" }, { code: 0, message: "success" }, null])
    return {
      opening: [
        ...(progress ? [{ data: progress }] : []),
        ...thoughts.map((thought) => ({ data: { data: { thought } } })),
      ],
      words: words.map((text, i) => ({ data: { data: { text }, ...soFar(i) } })),
      closing: [
        { data: { ...(end && { why: end.word }), ...stated } },
        ...(counts?.form === "zeroAtEnd" ? [{ data: nothing }] : []),
        ...(isMarked ? [{ data: "[DONE]" }] : []),
      ],
      isCounted: true,
      isRunning,
    }
  },
}

const responses: Interface = {
  name: "responses",
  read: readResponses,
  ends: "with a word",
  hasTools: true,
  states: { reasoning: true, cached: true },
  write({ words, thoughts, tool, end, counts, draw }) {
    const isNamed = draw.chance(0.7)
    const isTyped = !isNamed || draw.chance(0.8)
    const repeats = draw.chance(0.7)
    const event = (type: string, rest: object): WrittenEvent => ({
      data: { ...(isTyped && { type }), ...rest },
      ...(isNamed && { name: type }),
    })
    const thinking = draw.of(["reasoning_text", "reasoning_summary_text"])
    const text = words.join("")
    const thought = thoughts.join("")
    const json = JSON.stringify(tool?.arguments ?? {})
    const call = tool && { type: "function_call", id: "fc", call_id: tool.id, name: tool.name, arguments: json }
    const message = { type: "message", content: [{ type: "output_text", text }] }
    const output = [...(thought ? [{ type: "reasoning", summary: [] }] : []), message, ...(call ? [call] : [])]
    const total = counts?.form === "zero" ? 0 : (counts?.completion ?? 0)
    const usage = counts && {
      input_tokens: counts.prompt,
      input_tokens_details: { cached_tokens: counts.cached },
      output_tokens: total,
      output_tokens_details: { reasoning_tokens: total === 0 ? 0 : counts.reasoning },
    }
    const isWhole = end?.meaning === "ok"
    const response = {
      status: isWhole ? "completed" : "incomplete",
      incomplete_details: isWhole ? null : { reason: end?.word },
      error: null,
      output: repeats ? output : [],
      usage,
    }
    const part = { output_index: 1, content_index: 0 }
    return {
      opening: [
        event("response.created", { response: { status: "in_progress", error: null, output: [], usage: null } }),
        ...thoughts.map((delta) => event(`response.${thinking}.delta`, { output_index: 0, content_index: 0, delta })),
        ...(thought && repeats
          ? [event(`response.${thinking}.done`, { output_index: 0, content_index: 0, text: thought })]
          : []),
      ],
      words: words.map((delta) => event("response.output_text.delta", { ...part, delta, logprobs: [] })),
      closing: [
        ...(repeats ? [event("response.output_text.done", { ...part, text })] : []),
        ...(repeats ? [event("response.output_item.done", { output_index: 1, item: message })] : []),
        ...(call
          ? [
              event("response.output_item.added", { output_index: 2, item: { ...call, arguments: "" } }),
              event("response.function_call_arguments.delta", { output_index: 2, delta: json.slice(0, 5) }),
              event("response.function_call_arguments.delta", { output_index: 2, delta: json.slice(5) }),
              event("response.output_item.done", { output_index: 2, item: call }),
            ]
          : []),
        ...(end ? [event(`response.${response.status}`, { response })] : []),
      ],
      isCounted: end !== null,
    }
  },
}

export const interfaces: readonly Interface[] = [chat, responses, gemini, anthropic, cohere, application]

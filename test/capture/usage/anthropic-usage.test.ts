import { expect, it } from "vitest"
import { readAnthropic } from "../../../src/providers/anthropic/read.ts"
import { answerOfEvents } from "../../support/capture/answer-of-events.ts"

const usageOf = (start: object | null, end: object) =>
  answerOfEvents(
    [
      { type: "message_start", message: { model: "m", usage: start } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Paris" } },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: end },
      { type: "message_stop" },
    ],
    readAnthropic,
  ).usage

it.each([
  [
    { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 },
    { input_tokens: 11, output_tokens: 5, cache_read_input_tokens: 100 },
    111,
  ],
  [{ input_tokens: 11, output_tokens: 1, cache_read_input_tokens: 100 }, { input_tokens: 0, output_tokens: 5 }, 111],
  [null, { input_tokens: 11, output_tokens: 5, cache_read_input_tokens: null }, 11],
])("the prompt that a stream states at its beginning and end never falls: %j, %j", (start, end, prompt) => {
  expect(usageOf(start, end)).toMatchObject({ promptTokens: prompt, completionTokens: 5 })
})

import { describe, expect, it } from "vitest"
import { classifyFinish, endOfFinish, isFinish, normalizedFinish } from "../../../src/core/run/finish-reason.ts"

describe("a finish reason", () => {
  it.each([
    [
      "complete",
      ["stop", "STOP", "end_turn", "COMPLETE", "TOOL_CALL", "tool-calls", "eos_token", "FinishReason.STOP", "eosFound"],
    ],
    [
      "length",
      [
        "length",
        "MAX_TOKENS",
        "max_tokens",
        "maxTokens",
        "model_length",
        "model_context_window_exceeded",
        "max_output_tokens",
      ],
    ],
    [
      "refused",
      [
        "content_filter",
        "content-filter",
        "SAFETY",
        "Safety",
        "PROHIBITED_CONTENT",
        "ERROR_TOXIC",
        "refusal",
        "sensitive",
      ],
    ],
    ["refused", ["content_filter: RECITATION", "content_filter (hate)", "guardrail_intervened"]],
    ["malformed", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"]],
    [
      "failed",
      [
        "abort",
        "error",
        "insufficient_system_resource",
        "OTHER",
        "network_error",
        "TIMEOUT",
        "cancelled",
        "constructor",
      ],
    ],
    ["unstated", ["null", "None", "unknown", "FINISH_REASON_UNSPECIFIED"]],
  ] as const)("is %s: %j", (expected, reasons) => {
    for (const reason of reasons) expect(`${reason} ${classifyFinish(reason)}`).toBe(`${reason} ${expected}`)
  })

  it("that is not known is a failure that names it, and one that says nothing is no end", () => {
    expect(endOfFinish("abort")).toEqual({
      outcome: "stream_error",
      failure: { message: "the answer ended with abort", code: "abort" },
    })
    expect(endOfFinish("SAFETY", "hate")).toMatchObject({
      outcome: "refused",
      failure: { message: "the answer was stopped by a content filter (SAFETY: hate)" },
    })
    expect(endOfFinish("null")?.outcome).toBe("truncated")
    expect([endOfFinish(null), endOfFinish("stop")]).toEqual([null, null])
    expect([isFinish("null"), isFinish(null), isFinish("abort")]).toEqual([false, false, true])
    expect(["MAX_TOKENS", "SAFETY", "end_turn"].map(normalizedFinish)).toEqual(["length", "content_filter", "end_turn"])
  })
})

import { describe, expect, it } from "vitest"
import { readChatUsage } from "../../../src/capture/usage/chat-usage.ts"

describe("usage of chat completions", () => {
  it("takes counts as they are", () => {
    const usage = { prompt_tokens: 7, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } }
    expect(readChatUsage(usage)).toEqual({
      usage: { promptTokens: 7, cachedPromptTokens: 4, completionTokens: 2, reasoningTokens: null },
      unusable: [],
      assumed: [],
    })
  })

  it.each([-5, 2.5, "12", 1e15, Number.NaN, true, {}])("takes %s for no count, and names it", (value) => {
    const { usage, unusable } = readChatUsage({ prompt_tokens: 7, completion_tokens: value, total_tokens: 12 })
    expect(usage).toMatchObject({ promptTokens: 7, completionTokens: null, reasoningTokens: null })
    expect(unusable).toEqual(["completion_tokens"])
  })

  it("does not take null or a missing count for a wrong one", () => {
    expect(readChatUsage({ prompt_tokens: null }).unusable).toEqual([])
  })

  it("knows no more cached tokens than there are", () => {
    const { usage, unusable } = readChatUsage({ prompt_tokens: 7, prompt_tokens_details: { cached_tokens: 9 } })
    expect([usage.cachedPromptTokens, unusable]).toEqual([null, ["cached_tokens"]])
  })

  it("adds reasoning that stands beside the completion, and none that a wrong total would make", () => {
    const counts = { prompt_tokens: 5, completion_tokens: 3 }
    expect(readChatUsage({ ...counts, total_tokens: 18 }).usage.completionTokens).toBe(13)
    expect(readChatUsage({ ...counts, total_tokens: -18 }).usage.completionTokens).toBe(3)
  })
})

import { describe, expect, it } from "vitest"
import { createBody } from "../../../src/providers/openai/request-body.ts"

describe("the body of a chat completion", () => {
  it("has the effort in OpenAI's words, and nothing of it when none is asked for", () => {
    const messages = [{ role: "user", content: "Hi" }] as const
    expect(createBody({ messages, parameters: { effort: "low" } }, { model: "m" })).toMatchObject({
      reasoning_effort: "low",
    })
    expect(createBody({ messages, parameters: {} }, { model: "m" })).not.toHaveProperty("reasoning_effort")
  })
})

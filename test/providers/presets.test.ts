import { describe, expect, it } from "vitest"
import * as presets from "../../src/providers/presets.ts"
import { testContext } from "../support/ask.ts"

const services = [
  [presets.groq, "https://api.groq.com/openai/v1", "GROQ_API_KEY"],
  [presets.together, "https://api.together.xyz/v1", "TOGETHER_API_KEY"],
  [presets.openrouter, "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"],
  [presets.fireworks, "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"],
  [presets.mistral, "https://api.mistral.ai/v1", "MISTRAL_API_KEY"],
  [presets.deepseek, "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"],
  [presets.baseten, "https://inference.baseten.co/v1", "BASETEN_API_KEY"],
] as const

const servers = [
  [presets.vllm, "http://127.0.0.1:8000/v1"],
  [presets.sglang, "http://127.0.0.1:30000/v1"],
  [presets.llamaCppServer, "http://127.0.0.1:8080/v1"],
  [presets.ollama, "http://127.0.0.1:11434/v1"],
  [presets.lmStudio, "http://127.0.0.1:1234/v1"],
  [presets.nim, "http://127.0.0.1:8000/v1"],
  [presets.tensorRtLlm, "http://127.0.0.1:8000/v1"],
] as const

describe("presets", () => {
  it.each(services)("%o has its address and asks for its key", async (preset, baseUrl, variable) => {
    const provider = preset({ model: "m" })
    expect(provider.identity).toMatchObject({ kind: preset.name, baseUrl, model: "m" })
    expect(provider.endpoint).toBe(new URL(baseUrl).host)
    await expect(provider.open(testContext())).rejects.toThrow(variable)
  })

  it.each(servers)("%o is local and needs no key", async (preset, baseUrl) => {
    const provider = preset({ model: "m" })
    expect(provider.identity).toMatchObject({ kind: preset.name, baseUrl })
    const session = await provider.open(testContext())
    await session.close()
  })

  it("azureOpenai puts the resource into the host and takes the deployment as the model", () => {
    expect(presets.azureOpenai({ resource: "acme", deployment: "mini" })).toMatchObject({
      model: "mini",
      endpoint: "acme.openai.azure.com",
      label: "azureOpenai mini",
    })
  })

  it("lets options replace what a preset knows", () => {
    const provider = presets.vllm({ model: "m", baseUrl: "http://gpu:9000/v1", features: { seed: false } })
    expect(provider.identity).toMatchObject({
      baseUrl: "http://gpu:9000/v1",
      features: { echoLogprobs: true, seed: false },
    })
  })

  it("offers scoring of a given text where the server echoes log-probabilities or is llama.cpp's", async () => {
    const [vllm, llama, ollama] = await Promise.all([
      presets.vllm({ model: "m" }).open(testContext()),
      presets.llamaCppServer({ model: "m" }).open(testContext()),
      presets.ollama({ model: "m" }).open(testContext()),
    ])
    expect(llama.scoreText).toBeDefined()
    expect([vllm.scoreText !== undefined, ollama.scoreText !== undefined]).toEqual([true, false])
    await Promise.all([vllm.close(), llama.close(), ollama.close()])
  })
})

import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { scored } from "../../src/core/metric/metric.ts"
import type { Provider } from "../../src/core/provider.ts"
import { command } from "../../src/providers/command.ts"
import { local } from "../../src/providers/local.ts"
import { openai } from "../../src/providers/openai.ts"
import { groq } from "../../src/providers/presets.ts"
import { recorded } from "../../src/providers/recorded.ts"
import { textScorer } from "../../src/providers/text-scorer.ts"
import { pricesToPay } from "../../src/run/prices-to-pay.ts"

const model = new URL("../../models/tiny/tiny-s-f16.gguf", import.meta.url)
const baseUrl = "http://127.0.0.1:9/v1"
const readiness = { url: "http://127.0.0.1:9/health" }
const served = command({ command: "serve", baseUrl, model: "m", readiness, environment: { MODE: "a" } })
const elsewhere = openai({ model: "unheard-of", baseUrl, transport: "undici" })

describe("what the engine may count on with a provider", () => {
  it("is stated by the provider, whatever it calls itself", () => {
    expect(local(model).traits).toEqual({
      isFreePerCall: true,
      identifiesContent: true,
      transport: "undici",
      modelFile: fileURLToPath(model),
    })
    expect(served.traits).toMatchObject({ isFreePerCall: true, media: { images: { urls: true } } })
    expect(recorded([]).traits).toEqual({ isRecord: true, isFreePerCall: true })
    expect(elsewhere.traits).toMatchObject({ service: null, transport: "undici" })
    expect(groq({ model: "m" }).traits).toMatchObject({ service: "groq" })
  })

  it("is handed on by a provider that wraps another, with what may be secret in its identity", () => {
    const scorer = textScorer(served)
    // It scores words: pictures are not its to take.
    expect(scorer.traits).toEqual({ isFreePerCall: true })
    expect(scorer.privateIdentity?.()).toEqual(served.privateIdentity?.())
    expect(textScorer(recorded([])).privateIdentity).toBeUndefined()
  })

  it("decides whether a metric's calls need a price", () => {
    const priced = (provider: Provider) => {
      const metric = { name: "judged", asks: [provider], measure: () => scored(1) }
      return [...pricesToPay({ variants: [], metrics: [metric as never] }).values()]
    }
    expect(priced(served)).toEqual([])
    expect(priced({ ...served, kind: "renamed" })).toEqual([])
    expect(priced(elsewhere)).toEqual([null])
  })
})

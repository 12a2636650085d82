import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scratchDirectory } from "../../support/scratch.ts"
import { evalkit, startEndpoint } from "./endpoint.ts"

let endpoint: Awaited<ReturnType<typeof startEndpoint>>
const folder = scratchDirectory()
beforeAll(async () => {
  endpoint = await startEndpoint({ cost: 0.00025, cost_details: { upstream_inference_cost: null }, is_byok: false })
})
afterAll(async () => {
  await endpoint.close()
})

async function costOf(...args: string[]): Promise<number | null> {
  const here = ["--no-calibrate", "--capture-threads", "0", "--requests", "4", "--json"]
  const { out } = await evalkit(["bench", "--url", endpoint.url, "--model", "m", ...here, ...args], folder)
  return JSON.parse(out)[0].cost_usd
}

describe("evalkit bench of a gateway that says what it charges", () => {
  it("adds that up where no price is known", async () => {
    expect(await costOf()).toBeCloseTo(4 * 0.00025, 12)
  })

  it("goes by a price that is stated: 4 × (10 × 2 + 4 × 8) dollars per million", async () => {
    expect(await costOf("--price", "2/8")).toBeCloseTo((4 * (10 * 2 + 4 * 8)) / 1e6, 12)
  })
})

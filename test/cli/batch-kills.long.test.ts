import { expect, it } from "vitest"
import { isCleanBatchTally, killBatches } from "../support/kills/batch-kills.ts"

it.each(["openai", "anthropic", "gemini"] as const)(
  "sends each batch once through %s, has each answer once and pays for it once, wherever its process is killed",
  async (service) => {
    const tally = await killBatches({ kills: 3, seed: 7, samples: 6, services: [service], perRun: 3 })
    expect(tally.faults).toEqual([])
    expect(isCleanBatchTally(tally), JSON.stringify(tally)).toBe(true)
    expect(tally.kills).toBe(3)
  },
  120_000,
)

import { expect, it } from "vitest"
import { isNightly, sized } from "../support/nightly.ts"
import { playWorld, warmUp } from "../support/simulation/world.ts"

/** Seeds of worlds that once broke an invariant; they are played every day. */
const found = [
  2, 14, 31, 45, 1000, 1004, 1006, 1030, 1033, 1042, 1043, 1048, 1058, 1103, 1129, 1142, 2048, 50066, 100300, 100355,
  100448, 100470,
]

it("loses, doubles and overspends nothing in any world", { timeout: 3_600_000 }, async () => {
  await warmUp()
  const seeds = [...found, ...Array.from({ length: sized(2_000, 4) }, (_, i) => 10_000 + i)]
  const broken: string[] = []
  for (const seed of seeds) {
    const end = await playWorld(seed)
    if (end.broken.length > 0) broken.push(`world ${seed}: ${[...new Set(end.broken)].slice(0, 3).join("; ")}`)
  }
  expect(broken).toEqual([])
})

it("loses, doubles and overspends nothing by batch, and sends no batch twice", { timeout: 3_600_000 }, async () => {
  await warmUp()
  const broken: string[] = []
  for (const seed of [71, 73, 76, ...Array.from({ length: sized(200, 4) }, (_, i) => 10_000 + i)]) {
    const end = await playWorld(seed, "batch")
    if (end.broken.length > 0) broken.push(`world ${seed}: ${[...new Set(end.broken)].slice(0, 3).join("; ")}`)
  }
  expect(broken).toEqual([])
})

it("plays the same world for the same seed", { timeout: 60_000 }, async () => {
  await warmUp()
  for (const seed of [1048, ...(isNightly ? [31, 1000, 10_001] : [])]) {
    const [one, other] = [await playWorld(seed), await playWorld(seed)]
    expect({ ...other }).toEqual({ ...one })
    expect(one.requests).toBeGreaterThan(30)
  }
})

import { expect, it } from "vitest"
import { isNightly, sized } from "../support/nightly.ts"
import type { WorldKind } from "../support/simulation/plan.ts"
import { playWorld, warmUp } from "../support/simulation/world.ts"

/** Seeds of worlds that once broke an invariant: the first two of a kind are played every day, all of them at night. */
const seeds = {
  run: [
    2, 14, 31, 45, 1000, 1004, 1006, 1030, 1033, 1042, 1043, 1048, 1058, 1103, 1129, 1142, 2048, 50066, 100300, 100355,
    100448, 100470, 200364, 300001, 300032, 400922, 400992, 401850,
  ],
  batch: [71, 107, 73, 76],
  episode: [0, 3, 8, 10, 98, 99, 149],
  decided: [0, 51, 1, 5, 37, 64],
} as const satisfies Record<WorldKind, readonly number[]>

/** What of worlds of a kind broke an invariant: those that once did, and others. */
async function brokenWorlds(kind: WorldKind, others: number): Promise<readonly string[]> {
  await warmUp(kind)
  const broken: string[] = []
  const before = seeds[kind].slice(0, sized(seeds[kind].length, 2))
  for (const seed of [...before, ...Array.from({ length: others }, (_, i) => 10_000 + i)]) {
    const end = await playWorld(seed, kind)
    if (end.broken.length > 0) broken.push(`world ${seed}: ${[...new Set(end.broken)].slice(0, 3).join("; ")}`)
  }
  return broken
}

it("loses, doubles and overspends nothing in any world", { timeout: 3_600_000 }, async () => {
  expect(await brokenWorlds("run", sized(2_000, 4))).toEqual([])
})

it("loses, doubles and overspends nothing by batch, and sends no batch twice", { timeout: 3_600_000 }, async () => {
  expect(await brokenWorlds("batch", sized(200, 1))).toEqual([])
})

it("goes on with conversations where they stopped, and books no seat twice", { timeout: 3_600_000 }, async () => {
  expect(await brokenWorlds("episode", sized(200, 1))).toEqual([])
})

it("decides early or extended as the same run to which nothing happens", { timeout: 3_600_000 }, async () => {
  expect(await brokenWorlds("decided", sized(200, 0))).toEqual([])
})

it("plays the same world for the same seed", { timeout: 60_000 }, async () => {
  await warmUp("run")
  for (const seed of [1048, ...(isNightly ? [2, 31, 1000, 10_001] : [])]) {
    const [first, second] = [await playWorld(seed), await playWorld(seed)]
    expect({ ...second }).toEqual({ ...first })
    expect(first.requests).toBeGreaterThan(30)
  }
})

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sized } from "../support/nightly.ts"
import { sharesOf, tryOut } from "./fuzz.ts"
import { openRoom, type Room } from "./room.ts"
import { surfaces } from "./surfaces/all.ts"
import { startWatch } from "./watch.ts"

/** The 100,000 are `npm run fuzz -- --cases 100000`; here as many as take some seconds, from a seed that stays. */
const { EVALKIT_FUZZ_SEED = "20261122", EVALKIT_FUZZ_CASES, EVALKIT_FUZZ_SURFACE = "" } = process.env
const seed = Number(EVALKIT_FUZZ_SEED)
const chosen = surfaces.filter(({ name }) => name.includes(EVALKIT_FUZZ_SURFACE))
const shares = sharesOf(chosen, Number(EVALKIT_FUZZ_CASES ?? sized(1_500, 200)))
const hour = 3_600_000

const watch = startWatch()
let room: Room
beforeAll(async () => {
  room = await openRoom()
})
afterAll(async () => {
  room.close()
  await watch.close()
})

describe("whatever others wrote", () => {
  it.each(chosen.map((surface, i) => [surface.name, surface, shares[i]!] as const))(
    "is taken or refused in plain words: %s",
    async (name, surface, count) => {
      const { faults, cases, slowestMs } = await tryOut(surface, room, seed, count, watch)
      if (EVALKIT_FUZZ_CASES !== undefined)
        console.log(
          `seed ${seed} | ${name} | ${cases} cases | ${faults.length} faults | slowest ${Math.round(slowestMs)} ms`,
          ...faults.map(
            ({ fault, times, first, input }) => `\n${times} times, first at case ${first}: ${fault}\n  ${input}`,
          ),
        )
      expect(faults).toEqual([])
    },
    hour,
  )
})

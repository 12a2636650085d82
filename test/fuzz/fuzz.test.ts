import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sharesOf, tryOut } from "./fuzz.ts"
import { openRoom, type Room } from "./room.ts"
import { surfaces } from "./surfaces/all.ts"
import { startWatch } from "./watch.ts"

/** The 100,000 are `npm run fuzz -- --cases 100000`; here as many as take some seconds, from a seed that stays. */
const seed = 20_261_122
const cases = 1_500
const shares = sharesOf(surfaces, cases)

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
  it.each(surfaces.map((surface, i) => [surface.name, surface, shares[i]!] as const))(
    "is taken or refused in plain words: %s",
    async (_name, surface, count) => {
      const { faults } = await tryOut(surface, room, seed, count, watch)
      expect(faults).toEqual([])
    },
    120_000,
  )
})

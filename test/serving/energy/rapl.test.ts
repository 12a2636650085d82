import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createCpuEnergy } from "../../../src/serving/energy/cpu-energy.ts"
import { openRapl } from "../../../src/serving/energy/rapl.ts"

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "evalkit-rapl-"))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(zone: string, microjoules: number, { name = "", range = 262_143_328_850 } = {}): void {
  mkdirSync(join(root, zone), { recursive: true })
  writeFileSync(join(root, zone, "energy_uj"), `${microjoules}\n`)
  writeFileSync(join(root, zone, "max_energy_range_uj"), `${range}\n`)
  if (name !== "") writeFileSync(join(root, zone, "name"), `${name}\n`)
}

function opened(now?: () => number) {
  const rapl = openRapl(root, now)
  if ("reason" in rapl) throw new Error(rapl.reason)
  return rapl
}

describe("the processors' energy counters", () => {
  it("leave out the whole platform's counter, which the packages are inside of", () => {
    // A laptop's intel-rapl:1 is "psys": adding it to its package counts the package twice.
    write("intel-rapl:0", 0, { name: "package-0" })
    write("intel-rapl:1", 0, { name: "psys" })
    const rapl = opened()
    write("intel-rapl:0", 20_000_000, { name: "package-0" })
    write("intel-rapl:1", 31_000_000, { name: "psys" })
    expect(rapl.joules()).toBeCloseTo(20, 9)
  })

  it("are unknown where there is the whole platform's alone", () => {
    write("intel-rapl:0", 0, { name: "psys" })
    expect(openRapl(root)).toMatchObject({ reason: expect.stringContaining("no energy counters") })
  })

  it("are unknown once one was set back, which is not the end of its range", () => {
    let atMs = 0
    write("intel-rapl:0", 100_000_000)
    const rapl = opened(() => atMs)
    atMs = 500
    write("intel-rapl:0", 150_000_000)
    expect(rapl.joules()).toBeCloseTo(50, 9)
    // 150 J and then 2 J of a range of 262 kJ: half a megawatt, were it the range's end.
    atMs = 1000
    write("intel-rapl:0", 2_000_000)
    expect(rapl.joules()).toBeNull()
    atMs = 1500
    write("intel-rapl:0", 3_000_000)
    expect(rapl.joules()).toBeNull()
  })

  it("are unknown where a counter falls below its range's end that is none", () => {
    write("intel-rapl:0", 500_000_000, { range: 1000 })
    const rapl = opened()
    write("intel-rapl:0", 1_000_000, { range: 1000 })
    expect(rapl.joules()).toBeNull()
  })

  it("give a variant no energy, with the reason, once they were set back while it served", () => {
    write("intel-rapl:0", 900_000_000)
    const energy = createCpuEnergy({ root, environment: {}, platform: "linux" })
    energy.begin(0)
    write("intel-rapl:0", 1_000_000)
    energy.poll()
    write("intel-rapl:0", 2_000_000)
    energy.end(1000)
    expect(energy.read({ nowMs: 1000, servingMs: 1000, windows: 1 })).toMatchObject({
      joules: null,
      reason: expect.stringContaining("could not be read any more"),
    })
  })
})

import { describe, expect, it } from "vitest"
import { createTreeReader, readPs } from "../../src/serving/process-tree.ts"

/** As `ps -axo pid=,ppid=,rss=,time=` prints it on macOS. */
const macOs = `    1     0  12345   1:23.45
  500     1   2048   0:01.50
  501   500   1024   0:00.25
  502   501    512   1-02:03:04
  900     1   9999   9:59.99
`

describe("a process tree", () => {
  it("is read from ps: the root and all its descendants, none of the others", () => {
    expect(readPs(macOs, 500)).toEqual({
      rssBytes: (2048 + 1024 + 512) * 1024,
      highWaterBytes: null,
      cpuSeconds: 1.5 + 0.25 + 93_784,
      processes: 3,
    })
    expect(readPs(macOs, 502)?.processes).toBe(1)
  })

  it("is unknown when ps does not list its root", () => {
    expect(readPs(macOs, 4242)).toBeNull()
    expect(readPs("", 1)).toBeNull()
  })

  it.runIf(process.platform === "linux")(
    "of this process is read from the kernel, which counts what ps counts",
    async () => {
      const usage = await createTreeReader(process.pid).read(true)
      expect(usage?.processes).toBeGreaterThanOrEqual(1)
      expect(usage?.rssBytes).toBeGreaterThan(10 * 2 ** 20)
    },
  )
})

import { describe, expect, it } from "vitest"
import { renderTerminal } from "../../../reports/terminal/terminal.ts"
import { type Figure, unknown } from "../../../src/core/report/figure.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 60 })
const [first = "", second = ""] = report.variants.map(({ name }) => name)
const ms = (value: number): Figure => ({ status: "known", value, n: 9, method: "mean", by: "server" })
const columns = ["variant", "queue", "prefill", "network and other"].map((title) => ({ title }))

function table(topic: string, rows: readonly (readonly (string | Figure)[])[]): RunReport["sections"][number] {
  return { kind: "table", topic, title: topic, sentences: [], data: { columns, rows: rows as never } }
}

function summary(sections: RunReport["sections"], isApproximate = false, width = 120): string {
  const variants = report.variants.map((variant) => {
    const { p50 } = variant.speed.ttftMs
    const marked = p50.status === "known" ? { ...p50, isApproximate } : p50
    return { ...variant, speed: { ...variant.speed, ttftMs: { ...variant.speed.ttftMs, p50: marked } } }
  })
  return renderTerminal({ ...report, variants, sections }, { columns: width, color: false, unicode: true })
}

const line = (...args: Parameters<typeof summary>) =>
  summary(...args)
    .split("\n")
    .filter((text) => text.includes("first token by"))

describe("the first token in a summary", () => {
  it("is split by the server's metrics, else by the timings of its answers", () => {
    const sections = [
      table("server_view", [
        [first, ms(1), ms(1), ms(1)],
        [second, unknown("not stated"), ms(30), ms(2.5)],
      ]),
      table("server_metrics", [[first, ms(5), ms(8), ms(-4)]]),
    ]
    expect(summary(sections).replaceAll(/\s+/g, " ")).toContain(
      `first token by the server's own word: ${first} queue 5.00, prefill 8.00, network −4.00 ms · ${second} prefill 30.0, queue and network 2.50 ms`,
    )
    for (const text of line(sections, false, 60)) expect(text.length).toBeLessThan(60)
  })

  it("is not split where evalkit's own error is too large, and where no server says where it went", () => {
    expect(line([table("server_metrics", [[first, ms(5), ms(8), ms(4)]])], true)).toEqual([])
    expect(line([table("server_metrics", [[first, ms(5), ms(8), unknown("it served others")]])])).toEqual([])
    expect(line([])).toEqual([])
  })
})

import { it } from "vitest"
import { plants, cleanSwaps, linesOf } from "../../support/planted-regressions.ts"
it("x", async () => {
  const n = Number(process.env.SEEDS ?? 3)
  let all = 0
  for (const [name, plant] of Object.entries(plants)) {
    let ok = 0; const bad = []
    for (let s = 0; s < n; s++) {
      const lines = (await linesOf(`${name}-${s}`, { plant })).slice(0, 3)
      if (lines.some((line) => plant.named.every((p) => p.test(line)))) ok++; else bad.push(lines)
      if (s === 0) console.log(name, lines)
    }
    all += ok
    console.log(name, ok, "of", n, JSON.stringify(bad.slice(0, 3)))
  }
  let f = 0
  const t = performance.now()
  for (const [i, clean] of cleanSwaps.entries()) for (let s = 0; s < n; s++) {
    const lines = await linesOf(`clean-${i}-${s}`, { clean })
    if (lines.length) { f++; console.log("FALSE", i, lines) }
  }
  console.log(`named ${all} of ${n * 20}; false ${f} of ${n * 20}; ${(performance.now() - t) / n / 20} ms each`)
}, 300_000)

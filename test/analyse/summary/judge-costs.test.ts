import { expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import type { ModelCall } from "../../../src/core/run/run-store.ts"
import { judgeCosts } from "../../../src/pipeline/save-report.ts"

const call = (variant: string, key: string, costUsd: number | null): ModelCall => ({
  variant,
  purpose: "judge:j",
  key,
  requests: costUsd === 0 ? 0 : 1,
  costUsd,
  asideUsd: 0.1,
  tokens: 10,
  seconds: 1,
  at: "",
})

const record = { id: "r", variants: [{ name: "a" }, { name: "b" }] } as unknown as Parameters<typeof judgeCosts>[1]
const billsOf = (calls: readonly ModelCall[]) => {
  const billOf = judgeCosts({ modelCalls: () => calls }, record)
  return ["a", "b"].map(billOf)
}

it("is the same in whatever order several processes asked, down to the last digit", () => {
  // 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1; and what both variants wanted to know was asked by one of them.
  const asked = [0.1, 0.2, 0.3, 0.7, 1e-9].flatMap((usd, i) => [
    { paid: call("a", `own${i}`, usd), also: null },
    { paid: call("a", `both${i}`, usd), also: call("b", `both${i}`, 0) },
  ])
  const first = billsOf(asked.flatMap(({ paid, also }) => (also ? [paid, also] : [paid])))
  expect(first).toMatchObject([
    { status: "known", n: 10 },
    { status: "known", n: 5, value: 0 },
  ])
  const random = createRandom("orders")
  for (let i = 0; i < 20; i++) {
    const calls = random.shuffle(asked).flatMap(({ paid, also }) => {
      const isOther = also !== null && random.next() < 0.5
      if (isOther) return [{ ...paid, variant: "b" }, call("a", paid.key, 0)]
      return also ? [paid, also] : [paid]
    })
    expect(billsOf(calls)).toEqual(first)
  }
})

it("is unknown where a call has no price, for the variant that pays it", () => {
  const [a, b] = billsOf([call("a", "k", null), call("b", "k", 0), call("b", "l", 0.5)])
  expect([a?.status, b?.status]).toEqual(["unknown", "known"])
})

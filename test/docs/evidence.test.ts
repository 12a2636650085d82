import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { withEvidence } from "../../scripts/docs/evidence.ts"
import { saidByTests } from "../../scripts/docs/said-by-tests.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const page = withEvidence(root, readFileSync(`${root}docs/reviewers/validity.md`, "utf8"))

describe("the page of validity", () => {
  it("names the outside implementation of every golden family", () => {
    expect(page).toContain("| bleu_<wbr>corpus | sacreBLEU f615c72 (v2.6.0+1) | 6 | [bleu.<wbr>test.<wbr>ts]")
    const rows = page.split("\n").filter((line) => /^\| (?:\w|<wbr>)+ \| .* \| [\d,]+ \| /.test(line))
    expect(rows.length).toBeGreaterThan(40)
  })

  it("says whole sentences, without the marks of tables of tests", () => {
    const items = page.split("\n").filter((line) => /^\s*- /.test(line))
    expect(items.length).toBeGreaterThan(150)
    expect(items.filter((line) => /\$\w|%%|%[ds]|[:;],|^\s*- (?:…|:)?$/.test(line))).toEqual([])
    expect(page).toMatch(
      / {2}- decisions over turns, candidates and looks keep 5 %\n[\s\S]*unknown length: bounded, dense; sparse, 5 % at ±\.2;/,
    )
  })

  it("has the simulated error rates of the rule that decides, as the benchmark's table has them", () => {
    expect(page).toContain("| right and wrong | 0.05 | 200 | 5.0 % | 68.3 % | 0.0 % |")
    expect(page).not.toContain("naive t")
  })

  it("reads the tests of a file group by group", () => {
    const text =
      'const worlds = [\n  { name: "one" },\n  { name: "two" },\n]\ndescribe("a rule", () => {\n  it.each(worlds)("keeps 5 %%: $name", () => {})\n  it("is `small`", () => {})\n  it.each(rows)("$id", () => {})\n})\n'
    expect(saidByTests(text)).toEqual([{ about: "a rule", sentences: ["keeps 5 %: one; two", "is `small`"] }])
  })
})

import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { outcomeWords } from "../../../reports/wording/failure-reasons.ts"
import { limitWords } from "../../../reports/wording/limits.ts"
import { verdictWords } from "../../../reports/wording/verdict-words.ts"
import { commandTable } from "../../../src/cli/command-table.ts"
import { command } from "../../../src/cli/commands/explain.ts"
import { unscoredCodes } from "../../../src/core/metric/unscored-code.ts"
import { outcomes } from "../../../src/core/outcome.ts"
import { recordingIo } from "../../cli/commands/command-support.ts"
import { tableFiles } from "./table-headings.ts"

/** Names of the run's own stand in these: a variant, an axis, a file. */
const ownNames = ["x", "x x", "x \u2191", "x \u2193", "x, x", "x (x)"]

/** What is printed and `evalkit explain` has no page about. */
async function unexplained(words: readonly string[]): Promise<string[]> {
  const faults: string[] = []
  for (const name of new Set(words)) {
    if (ownNames.includes(name)) continue
    // "A x" is A's column, which a name of the run's own follows.
    const asked = command.run({ name: name.replace(/^([AB]) x$/, "$1"), json: false }, recordingIo("/"))
    if (
      await asked.then(
        () => false,
        () => true,
      )
    )
      faults.push(name)
  }
  return faults
}

const files = tableFiles()

describe("every word that evalkit prints", () => {
  it.each(files)(
    "is explained where it heads a column or a row of a table: $path",
    async ({ unread, headings, path }) => {
      // The page of a name prints the tables of that page.
      if (path.endsWith("explain.ts")) return
      expect(unread, "headings that cannot be read from the source").toBe(0)
      expect(await unexplained(headings)).toEqual([])
    },
  )

  it("is read from all the tables there are", () => {
    expect(files.length).toBeGreaterThan(14)
    const all = files.flatMap(({ headings }) => headings)
    for (const heading of ["wins at", "finds x", "Cohen's kappa", "TTFT from intent", "A x", "tags and last note"])
      expect(all).toContain(heading)
  })

  it("is explained where it heads a section or a column in Markdown", async () => {
    const report = readFileSync(new URL("../../golden/reports/report.md", import.meta.url), "utf8")
    const lines = report.split("\n")
    const sections = lines.flatMap((line) => (line.startsWith("### ") ? [line.slice(4)] : []))
    const columns = lines.flatMap((line, i) =>
      lines[i + 1]?.startsWith("| ---")
        ? line.split(/(?<!\\) ?\| ?/).map((cell) => cell.replaceAll("\\", "").trim())
        : [],
    )
    expect(sections).toContain("What broke")
    expect(columns).toContain("$ per 1k")
    const names = /^(?:[ms]-(?:f16|q\d_\d)|hosted-70b|)$/
    expect(await unexplained([...sections, ...columns].filter((word) => !names.test(word)))).toEqual([])
  })

  it("is explained where it says how something ended: requests, answers without a score, limits, verdicts", async () => {
    expect(
      await unexplained([
        ...outcomes,
        ...Object.values(outcomeWords),
        ...Object.keys(unscoredCodes),
        ...Object.values(limitWords),
        ...Object.values(verdictWords),
        ...["faster", "slower", "no clear difference", "no interval", "other lengths", "gate failed"],
        ...["better", "worse", "dominated", "looks best", "unknown", "unscored", "replayed"],
      ]),
    ).toEqual([])
  })

  it("is explained where it is a command", async () => {
    expect(await unexplained(commandTable.map(({ usage }) => usage.split(" ")[0] as string))).toEqual([])
    expect(await unexplained(["evalkit compare", "exact match", "Variant\u2019s"])).toEqual([])
  })

  it("is found to be missing where it is", async () => {
    expect(await unexplained(["swap", "xyzzyxyzzy", "x"])).toEqual(["xyzzyxyzzy"])
  })
})

import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { saidByTests } from "./said-by-tests.ts"

/** Tests that compute figures again which others published. */
const published = [
  "test/analyse/compare/sacrebleu-replay.test.ts",
  "test/analyse/compare/can-ai-code.test.ts",
  "test/stats/eval-error-bars.test.ts",
  "test/perf/llmperf.test.ts",
  "test/cli/commands/judge-published.long.test.ts",
  "test/analyse/judge-validation/published-verdicts.test.ts",
  "test/metrics/hallucination/halueval.test.ts",
  "test/metrics/bias/bbq.test.ts",
  "test/metrics/bias/stereotype-preference.test.ts",
  "test/metrics/match/numeric-match.long.test.ts",
  "test/cli/score-columns.test.ts",
  "test/interop/fixtures.test.ts",
]

/** Tests that draw from worlds whose truth is known. */
const simulations = [
  "test/stats/verdict-worlds.long.test.ts",
  "test/stats/coverage.test.ts",
  "test/stats/unanswered.test.ts",
  "test/stats/intervals/paired-bound.test.ts",
  "test/stats/intervals/few-clusters.test.ts",
  "test/stats/intervals/control-variate.test.ts",
  "test/stats/intervals/inclusion-weighted.test.ts",
  "test/stats/calibration/debiased.test.ts",
  "test/analyse/decide/plan-power.test.ts",
  "test/analyse/judge-validation/simulated-judges.long.test.ts",
  "test/analyse/sections/slices/discoveries.test.ts",
  "test/bench/search-rate.test.ts",
]

/** The page of validity with its tables: golden families by file, with their rows and the tests that read them; tests by what they say. */
export function withEvidence(root: string, page: string): string {
  const filled = {
    golden: goldenTable(root),
    published: saidBy(root, published),
    simulations: saidBy(root, simulations),
    verdicts: verdictTable(root),
  }
  return Object.entries(filled).reduce((text, [name, table]) => {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
    if (!text.includes(start)) throw new Error(`the page of validity has no ${start}`)
    return text.replace(new RegExp(`${start}[\\s\\S]*?${end}`), () => table)
  }, page)
}

/** The page of examples with their list, as it stands beside them. */
export function withExamples(root: string, page: string): string {
  const list = readFileSync(join(root, "examples/README.md"), "utf8")
  const table = list.slice(list.indexOf("| example"), list.lastIndexOf("|") + 1)
  const rows = table.replaceAll(/\]\(([\w-]+\/)/g, "](../../examples/$1")
  return page.replace(/<!-- examples -->[\s\S]*?<!-- \/examples -->/, () => rows)
}

function goldenTable(root: string): string {
  const tests = testFiles(root)
  const makers = makersOf(root)
  const rows = ["text", "stats", "models"].flatMap((folder) =>
    readdirSync(join(root, "test/golden", folder))
      .sort()
      .map((file) => {
        const name = basename(file, ".jsonl")
        const count = readFileSync(join(root, "test/golden", folder, file), "utf8")
          .trim()
          .split("\n").length
        const readers = tests.filter(
          ({ text }) => /golden/i.test(text) && new RegExp(`["'\`/]${name}(?:\\.jsonl)?["'\`]`).test(text),
        )
        const links = readers.map(({ path }) => `[${breakable(basename(path))}](../../${path})`)
        const maker = makers.get(name)
        if (maker === undefined) throw new Error(`test/golden/README.md does not say what made ${name}`)
        return `| ${breakable(name)} | ${breakable(maker)} | ${count.toLocaleString("en")} | ${links.join(", ") || "read through a fixture of the same name"} |`
      }),
  )
  return ["| family | made by | cases | tested in |", "| --- | --- | ---: | --- |", ...rows].join("\n")
}

/** A text whose lines may end behind dots, strokes and underscores, outside of code: a narrow table keeps all of it in sight. */
function breakable(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 === 0 ? part.replaceAll(/(?<=\w)[._/](?=[a-z]\w)/g, "$&<wbr>") : part))
    .join("")
}

/** Each test file with what its tests say. */
function saidBy(root: string, paths: readonly string[]): string {
  return paths
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8")
      const needs = text.includes("EVALKIT_REFERENCE_DATA") || text.includes("referenceData") ? " (data)" : ""
      const lines = saidByTests(text).flatMap(({ about, sentences }) => [
        ...(about === "" ? [] : [`  - ${about}`]),
        ...sentences.map((sentence) => `${about === "" ? "  " : "    "}- ${sentence}`),
      ])
      return [`- [${basename(path).split(".")[0]}](../../${path})${needs}`, ...lines].join("\n")
    })
    .join("\n")
}

/** The rows of the deciding rule in the benchmark's table, without the rules of others. */
function verdictTable(root: string): string {
  const rows = readFileSync(join(root, "benchmarks/verdicts/README.md"), "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, world, margin, n, rule, ...figures] = line.split("|").map((cell) => cell.trim())
      return rule === "evalkit" ? [`| ${[world, margin, n, ...figures.slice(0, 3)].join(" | ")} |`] : []
    })
  if (rows.length === 0) throw new Error("benchmarks/verdicts/README.md has no row of evalkit's rule")
  return [
    "| world | margin | n | false swap | power | false keep |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
  ].join("\n")
}

/** What made each family of golden numbers, from the table beside them. */
function makersOf(root: string): ReadonlyMap<string, string> {
  const table = readFileSync(join(root, "test/golden/README.md"), "utf8").matchAll(/^\| ([\w, ]+) \| (.*?) \| /gm)
  return new Map(
    Array.from(table).flatMap(([, names = "", maker = ""]) => names.split(", ").map((name) => [name, maker])),
  )
}

function testFiles(root: string): { readonly path: string; readonly text: string }[] {
  return readdirSync(join(root, "test"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replace(/^\//, "").replaceAll("\\", "/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
}

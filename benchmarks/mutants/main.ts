import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { type Mutant, sampleMutants } from "./mutants.ts"

/**
 * Which tests notice a small fault? `npx jiti benchmarks/mutants/main.ts [mutants] [seed] [project] [record]`: puts seeded faults into
 * the rooms below, looks which files of tests come by each, and runs these, cheapest first, with one fault at a time until one fails.
 * `project` is a pattern of vitest's projects: `quick*`, then `long*` (the same sample: what the record says is killed is left out).
 */
const [count = "200", seed = "1", project = "quick*", record = "mutants.json"] = process.argv.slice(2)
const rooms = ["src/run", "src/store", "src/pipeline/distribute", "src/analyse"]
const root = fileURLToPath(new URL("../..", import.meta.url))
const mostFiles = 60
const mutantMs = 240_000

type Entry = Mutant & {
  source: string
  fate: "killed" | "survived" | "not reached"
  by?: string
  test?: string
  tried?: number
}
type TestFile = {
  name: string
  startTime: number
  endTime: number
  assertionResults: { status: string; fullName: string }[]
}

const work = mkdtempSync(join(tmpdir(), "evalkit-mutants-"))
const env = { ...process.env, EVALKIT_MUTANTS: join(work, "mutants.json") }
const mutants = sampleMutants(root, rooms, Number(count), Number(seed))
writeFileSync(env.EVALKIT_MUTANTS, JSON.stringify(mutants))

/** Runs files of tests, and gives the report; null when they did not end in time. */
function runTests(files: readonly string[], more: NodeJS.ProcessEnv, timeout?: number): TestFile[] | null {
  const report = join(work, files.length === 0 ? "suite.json" : "report.json")
  rmSync(report, { force: true })
  const options = [
    `--project=${project}`,
    "--reporter=json",
    `--outputFile=${report}`,
    ...(files.length > 0 ? ["--bail=1"] : []),
  ]
  const config = join(root, "benchmarks/mutants/vitest.config.ts")
  spawnSync("npx", ["vitest", "run", `--config=${config}`, ...options, ...files], {
    cwd: root,
    env: { ...env, ...more },
    timeout,
    stdio: "ignore",
  })
  return existsSync(report) ? JSON.parse(readFileSync(report, "utf8")).testResults : null
}
const failures = (results: readonly TestFile[]) =>
  results.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter((it) => it.status === "failed")
      .map(({ fullName }) => ({ by: relative(root, name), test: fullName })),
  )

const notes = join(work, "reached.jsonl")
const whole = runTests([], { EVALKIT_MUTANTS_REACHED: notes }) ?? []
const duration = new Map(whole.map((it) => [it.name, it.endTime - it.startTime]))
const unsteady = new Set(failures(whole).map(({ test }) => test))
const reaching = new Map<number, string[]>()
for (const line of readFileSync(notes, "utf8").trim().split("\n")) {
  const { file, reached } = JSON.parse(line)
  for (const id of reached) reaching.set(id, [...(reaching.get(id) ?? []), file])
}

const before: Entry[] = existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : []
const entries: Entry[] = []
for (const mutant of mutants) {
  const earlier = before.find((it) => it.id === mutant.id && it.path === mutant.path && it.start === mutant.start)
  const entry = earlier?.fate === "killed" ? earlier : kill(mutant)
  entries.push(entry)
  console.error(
    `${entry.id} ${entry.path} ${entry.operator}: ${entry.fate}${entry.by === undefined ? "" : ` by ${entry.by}`}`,
  )
  writeFileSync(record, JSON.stringify([...entries, ...before.slice(entries.length)], null, 1))
}
rmSync(work, { recursive: true, force: true })
const killed = entries.filter((it) => it.fate === "killed").length
console.log(`${killed} of ${entries.length} killed, ${entries.filter((it) => it.fate === "survived").length} survived`)

function kill(mutant: Mutant): Entry {
  // Those of the same room first: what others come by they seldom look at.
  const room = `/test/${mutant.path.split("/")[1]}/`
  const rank = (file: string) => (duration.get(file) ?? 0) + (file.includes(room) ? 0 : 1e9)
  const files = (reaching.get(mutant.id) ?? []).sort((a, b) => rank(a) - rank(b))
  const fault = { ...mutant, source: mutant.text.slice(0, 120) }
  if (files.length === 0) return { ...fault, fate: "not reached" }
  for (const [from, to] of [
    [0, 8],
    [8, 24],
    [24, mostFiles],
  ] as const) {
    const part = files.slice(from, to)
    if (part.length === 0) break
    const results = runTests(part, { EVALKIT_MUTANT: String(mutant.id) }, mutantMs)
    if (results === null) return { ...fault, fate: "killed", by: "a test that did not end", tried: to }
    const [first] = failures(results).filter(({ test }) => !unsteady.has(test))
    if (first !== undefined) return { ...fault, fate: "killed", ...first, tried: Math.min(to, files.length) }
  }
  return { ...fault, fate: "survived", tried: Math.min(files.length, mostFiles) }
}

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { createVitest, type TestModule } from "vitest/node"
import { type Mutant, sampleMutants } from "./mutants.ts"

/**
 * Which tests notice a small fault? `npx jiti benchmarks/mutants/main.ts [mutants] [seed] [project] [record]`: puts seeded faults into
 * the rooms below, looks which files of tests come by each, and runs these, cheapest first, with one fault at a time until one fails.
 * `project` is a pattern of vitest's projects: `quick*`, then `long*` (the same sample: what the record says is killed is left out).
 */
const [count = "200", seed = "1", project = "quick*", record = "mutants.json"] = process.argv.slice(2)
const rooms = ["src/run", "src/store", "src/pipeline/distribute", "src/analyse"]
const root = fileURLToPath(new URL("../..", import.meta.url))
const maxFiles = 32
const mutantMs = 240_000

type Entry = Mutant & {
  source: string
  fate: "killed" | "survived" | "not reached"
  by?: string
  test?: string
  tried?: number
  /** The pattern of projects that it was tried with. */
  project: string
}

const work = mkdtempSync(join(tmpdir(), "evalkit-mutants-"))
process.env.EVALKIT_MUTANTS = join(work, "mutants.json")
process.env.EVALKIT_MUTANT = join(work, "awake")
const mutants = sampleMutants(root, rooms, Number(count), Number(seed))
writeFileSync(process.env.EVALKIT_MUTANTS, JSON.stringify(mutants))

// One runner for all faults: it compiles each source once.
const config = join(root, "benchmarks/mutants/vitest.config.ts")
const vitest = await createVitest("test", { config, project: [project], watch: false, reporters: [{}] })
const specifications = await vitest.globTestSpecifications()

/** Runs files of tests with one mutant awake, until a test fails; null when they did not end in time. */
async function runTests(files: readonly string[], mutant: number): Promise<readonly TestModule[] | null> {
  writeFileSync(join(work, "awake"), String(mutant))
  for (const it of [vitest, ...vitest.projects]) it.config.bail = mutant < 0 ? 0 : 1
  let isLate = false
  // A fault can make a loop endless, and only its process' end ends that.
  const timer = setTimeout(
    () => {
      isLate = true
      for (const pid of workers()) process.kill(pid, "SIGKILL")
    },
    mutant < 0 ? 3_600_000 : mutantMs,
  )
  // Else what failed in an earlier run is given once more.
  vitest.state.filesMap.clear()
  const run = await vitest.runTestSpecifications(specifications.filter((it) => files.includes(it.moduleId)))
  clearTimeout(timer)
  return isLate ? null : run.testModules
}
/** Processes that this one started and that have not ended. */
const workers = (): number[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)
const failures = (modules: readonly TestModule[]) =>
  modules.flatMap((it) =>
    [...it.children.allTests("failed")].map(({ fullName }) => ({ by: relative(root, it.moduleId), test: fullName })),
  )

/** What the first pass saw: the files that come by each mutant, the quickest first, and tests that fail without one. */
interface Survey {
  readonly files: Readonly<Record<number, readonly string[]>>
  readonly unsteady: readonly string[]
}
async function firstPass(): Promise<Survey> {
  const notes = join(work, "reached.jsonl")
  process.env.EVALKIT_MUTANTS_REACHED = notes
  const whole = (await runTests([...new Set(specifications.map((it) => it.moduleId))], -1)) ?? []
  delete process.env.EVALKIT_MUTANTS_REACHED
  const durations = new Map(whole.map((it) => [it.moduleId, it.diagnostic().duration]))
  const files: Record<number, string[]> = {}
  for (const line of readFileSync(notes, "utf8").trim().split("\n")) {
    const { file, reached } = JSON.parse(line)
    for (const id of reached) files[id] = [...(files[id] ?? []), file]
  }
  const durationOf = (file: string) => durations.get(file) ?? 0
  for (const own of Object.values(files)) own.sort((a, b) => durationOf(a) - durationOf(b))
  return { files, unsteady: failures(whole).map(({ test }) => test) }
}

const before: Entry[] = existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : []
// A pass broken off goes on with what it saw; another pattern of projects needs its own.
const seen = `${record}.${project.replaceAll("*", "")}`
const survey: Survey = existsSync(seen) ? JSON.parse(readFileSync(seen, "utf8")) : await firstPass()
writeFileSync(seen, JSON.stringify(survey))
const entries: Entry[] = []
for (const mutant of mutants) {
  const earlier = before.find((it) => it.id === mutant.id && it.path === mutant.path && it.start === mutant.start)
  const entry = earlier && (earlier.fate === "killed" || earlier.project === project) ? earlier : await kill(mutant)
  entries.push(entry)
  console.error(
    `${entry.id} ${entry.path} ${entry.operator}: ${entry.fate}${entry.by === undefined ? "" : ` by ${entry.by}`}`,
  )
  writeFileSync(record, JSON.stringify([...entries, ...before.slice(entries.length)], null, 1))
}
await vitest.close()
rmSync(work, { recursive: true, force: true })
const killed = entries.filter((it) => it.fate === "killed").length
console.log(`${killed} of ${entries.length} killed, ${entries.filter((it) => it.fate === "survived").length} survived`)

async function kill(mutant: Mutant): Promise<Entry> {
  // Those of the same room first: what others come by they seldom look at.
  const room = `/test/${mutant.path.split("/")[1]}/`
  const files = (survey.files[mutant.id] ?? []).toSorted((a, b) => +b.includes(room) - +a.includes(room))
  const fault = { ...mutant, project, source: mutant.text.slice(0, 120) }
  if (files.length === 0) return { ...fault, fate: "not reached" }
  for (const [from, to] of [
    [0, 8],
    [8, maxFiles],
  ] as const) {
    const part = files.slice(from, to)
    if (part.length === 0) break
    const results = await runTests(part, mutant.id)
    if (results === null) return { ...fault, fate: "killed", by: "a test that did not end", tried: to }
    const [first] = failures(results).filter(({ test }) => !survey.unsteady.includes(test))
    if (first !== undefined) return { ...fault, fate: "killed", ...first, tried: Math.min(to, files.length) }
  }
  return { ...fault, fate: "survived", tried: Math.min(files.length, maxFiles) }
}

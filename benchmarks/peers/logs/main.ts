/** Logs that tools write on this machine, read by evalkit and compared with the tool's own figures: see README.md. */
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { peersFolder } from "../environment.ts"
import { factsOf, type Mean } from "./facts.ts"
import { type Run, runTool, versionsOf } from "./tools.ts"

/** A figure as the tool states it. */
interface Figure extends Mean {
  readonly file: string
  readonly metric: string
  /** 1e-9 by default. */
  readonly within?: number
}

const names = process.argv.slice(2)
const questions = Array.from({ length: 30 }, (_, i) => {
  const [question, answer] = [`${i}) What is ${i * 3} + ${i % 7}?`, String(i * 3 + (i % 7))]
  return { id: `q${i}`, question, input: question, answer, target: answer }
})
let different = 0
console.log(
  "| tool | version | logs | figures | answers | differs | MB | s |\n| --- | --- | ---: | --- | ---: | --- | ---: | ---: |",
)
for (const [name, versions] of Object.entries(versionsOf))
  for (const version of versions)
    if (names.length === 0 || names.some((part) => `${name} ${version}`.includes(part))) await compare(name, version)
process.exitCode = different > 0 ? 1 : 0

/** Prints the row of a version. Each has a server of its own, which answers a question another way when it is asked again. */
async function compare(name: string, version: string): Promise<void> {
  const folder = join(peersFolder, "runs/logs", `${name}-${version}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "questions.jsonl"), questions.map((row) => `${JSON.stringify(row)}\n`).join(""))
  const server = spawn(process.execPath, [join(import.meta.dirname, "mock.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  try {
    const port = await new Promise<string>((done) => server.stdout.once("data", (text) => done(String(text).trim())))
    const began = performance.now()
    const run = runTool(name, version, folder, `http://127.0.0.1:${port}`)
    const seconds = Math.round((performance.now() - began) / 1000)
    console.log(`| ${name} | ${version} | ${await rowOf(folder, run)} | ${seconds} |`)
  } catch (error) {
    console.log(`| ${name} | ${version} | SKIPPED: ${String(error).split("\n")[0]?.slice(0, 300)} |`)
  } finally {
    server.kill()
  }
}

async function rowOf(folder: string, { environment, printed }: Run): Promise<string> {
  const figures = [...printed.matchAll(/^FIGURE (.*)$/gm)].map(([, json]) => JSON.parse(json as string) as Figure)
  if (figures.length === 0) throw new Error("it stated no figure")
  const files = new Map<string, Readonly<Record<string, Mean>>>()
  const differing: string[] = []
  for (const { file, metric, n, mean, within = 1e-9 } of figures) {
    const facts = files.get(file) ?? (await factsOf(resolve(folder, file)))
    files.set(file, facts)
    const read = facts[metric]
    if (read?.n !== n || !(Math.abs(read.mean - mean) < within))
      differing.push(`${file} ${metric}: ${mean} of ${n}, evalkit ${read?.mean} of ${read?.n}`)
  }
  different += differing.length
  const megabytes = execFileSync("du", ["-sm", environment], { encoding: "utf8" }).split("\t")[0]
  const answers = figures.reduce((total, { n }) => total + n, 0)
  const metrics = [...new Set(figures.map(({ metric }) => metric))].join(", ")
  return [files.size, metrics, answers, differing.join("; ") || "none", megabytes].join(" | ")
}

import { writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { beforeAll, expect, it, vi } from "vitest"
import { benchCsv } from "../../reports/bench/csv.ts"
import { benchHtml } from "../../reports/bench/html.ts"
import { benchJson } from "../../reports/bench/json.ts"
import { benchText } from "../../reports/bench/text.ts"
import { frozenOutput, pageText } from "../support/outputs/frozen.ts"
import { frozenLines } from "../support/outputs/lines.ts"
import { steadySweep } from "../support/outputs/load.ts"
import { makeMeasured, writeProject } from "../support/outputs/project.ts"
import { ensurePage } from "../support/page.ts"
import { scratchDirectory } from "../support/scratch.ts"

vi.mock("node:crypto", async (original) => {
  const { countedBytes } = await import("../support/outputs/counted-bytes.ts")
  return countedBytes(await original())
})

const cwd = scratchDirectory()
const runs: string[] = []
const made: string[] = []

/** What a line prints; in a line `R1` is the first run that was made. */
const print = (line: string) =>
  frozenOutput(
    line.replace(/\bR(\d)\b/g, (_, number) => runs[number - 1] as string),
    cwd,
  )

/** @param list the line that lists the runs of the same store, newest first */
async function makeRun(line: string, list = "runs --json --limit 1"): Promise<void> {
  made.push(await print(line))
  const [{ id }] = JSON.parse((await print(list)).split("\n").slice(2).join("\n"))
  runs.push(id)
}

beforeAll(async () => {
  await ensurePage()
  writeProject(cwd)
  await makeRun("AT=01-05T10:00 run")
  makeMeasured(cwd, runs[0] as string)
  made.push(await print("AT=01-06T10:00 score R1"))
  await makeRun("AT=01-12T10:00 OUTPUTS_DRIFT=0.02 run --no-html --variant today --variant small")
  await makeRun("AT=01-19T10:00 OUTPUTS_DRIFT=0.3 run --no-html --variant today --variant small")
  await makeRun("AT=01-26T10:00 OUTPUTS_DRIFT=0.4 run --no-html --variant today --variant small")
  for (const shard of ["1/2", "2/2"])
    await makeRun(`cd shards; run --limit 8 --repeats 1 --shard ${shard} --no-html`, "cd shards; runs --json --limit 1")
  await makeRun("run agents.config.ts --directory agents", "runs --directory agents --json --limit 1")
  await makeRun("run --limit 4 --repeats 1 --directory few --no-html", "runs --directory few --json --limit 1")
  const before = benchJson(await steadySweep(["m"]))
  writeFileSync(join(cwd, "before.json"), JSON.stringify(before))
  writeFileSync(join(cwd, "after.json"), JSON.stringify(before).replaceAll('"p50":3,', '"p50":4.5,'))
}, 300_000)

const golden = (name: string) => `../golden/outputs/${name}.txt`
const pageOf = async (path: string) => pageText(await readFile(join(cwd, path), "utf8"))

it("makes the same runs", async () => {
  await expect(made.join("\n")).toMatchFileSnapshot(golden("run"))
})

it.each(Object.entries(frozenLines))("prints the same for %s", { timeout: 120_000 }, async (name, lines) => {
  const printed: string[] = []
  for (const line of lines) printed.push(await print(line))
  await expect(printed.join("\n")).toMatchFileSnapshot(golden(name))
})

it("shows the same help", async () => {
  const general = await print("--help")
  const names = Array.from(general.matchAll(/^ {2}([a-z]+) .*$/gm), ([, name = ""]) => name)
  expect(names.length).toBeGreaterThan(29)
  const printed: string[] = [general]
  for (const name of names) printed.push(await print(`${name} --help`))
  await expect(printed.join("\n")).toMatchFileSnapshot(golden("help"))
})

it("shows the same pages", async () => {
  await print("report R1 --format html --output R1.html")
  await expect(await pageOf(`${runs[0]}.html`)).toMatchFileSnapshot(golden("page"))
  await expect(await pageOf(`agents/reports/${runs[6]}.html`)).toMatchFileSnapshot(golden("page-agents"))
})

it("shows the same load test", async () => {
  const swept = await steadySweep(["small", "large"])
  const json = `${JSON.stringify(benchJson(swept), null, 2)}\n`
  await expect([benchText(swept, 100), benchCsv(swept), json].join("\n")).toMatchFileSnapshot(golden("bench-sweep"))
  await expect(pageText(await benchHtml(swept))).toMatchFileSnapshot(golden("page-bench"))
})

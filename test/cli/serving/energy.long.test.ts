import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { delimiter, join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import type { Figure } from "../../../src/core/report/figure.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { runCli } from "../../support/cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

// Three servers are started one after the other: slow on a machine that does other things, too. Nothing here is timed.
vi.setConfig({ testTimeout: 150_000 })

/**
 * A server that draws a known energy: 100 W while it answers, for as long as an answer is said to take, from a counter that it keeps itself
 * so that no clock is in it; and 6 kJ while it loads and while it is warmed up.
 */
const program = `import { createServer } from "node:http"
import { readFileSync, renameSync, writeFileSync } from "node:fs"
const [answerMs, waitMs, zone, pidFile, port] = process.argv.slice(2)
const draw = (joules) => {
  const file = zone + "/energy_uj"
  writeFileSync(file + ".new", String(Number(readFileSync(file, "utf8")) + Math.round(joules * 1e6)))
  renameSync(file + ".new", file)
}
writeFileSync(pidFile, String(process.pid))
if (zone !== "none") draw(6000)
const server = createServer((request, response) => {
  let body = ""
  request.on("data", (part) => (body += part))
  request.on("end", async () => {
    if (request.method === "GET") return response.writeHead(404).end("{}")
    const text = JSON.parse(body).messages.at(-1).content
    await new Promise((resolve) => setTimeout(resolve, Number(waitMs)))
    if (zone !== "none") draw(text === "Hello" ? 6000 : Number(answerMs) / 10)
    response.writeHead(200, { "content-type": "text/event-stream" })
    const event = (fields) => response.write("data: " + JSON.stringify({ id: "1", object: "chat.completion.chunk", model: "m", ...fields }) + "\\n\\n")
    event({ choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }] })
    event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })
    event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 } })
    response.end("data: [DONE]\\n\\n")
  })
})
server.listen(Number(port), "127.0.0.1")
`

const samples = 8

async function project(
  variants: readonly { readonly name: string; readonly args: readonly string[] }[],
  more: string,
): Promise<string> {
  const ports = await Promise.all(variants.map(freePort))
  const folder = scratchDirectory()
  writeFileSync(join(folder, "server.mjs"), program)
  mkdirSync(join(folder, "powercap", "intel-rapl:0"), { recursive: true })
  writeFileSync(join(folder, "powercap", "intel-rapl:0", "energy_uj"), "0")
  writeFileSync(join(folder, "powercap", "intel-rapl:0", "max_energy_range_uj"), "262143328850")
  // Every second answer is right.
  const rows = Array.from({ length: samples }, (_, i) => ({
    id: `s${i}`,
    input: `text ${i}`,
    reference: i % 2 === 0 ? `text ${i}` : "another",
  }))
  writeFileSync(join(folder, "data.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  const served = variants.map(
    ({ name, args }, i) => `variant({ name: "${name}", provider: command({
      command: process.execPath, args: ${JSON.stringify(["server.mjs", ...args, String(ports[i])])}, model: "${name}", label: "${name}",
      readiness: { port: ${ports[i]} }, baseUrl: "http://127.0.0.1:${ports[i]}/v1",
    }) })`,
  )
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { command, dataset, defineConfig, exactMatch, variant } from "evalkit"
export default defineConfig({ dataset: dataset("data.jsonl"), variants: [${served.join(", ")}], metrics: [exactMatch()], ${more} })
`,
  )
  return folder
}

async function reportOf(folder: string, environment: Readonly<Record<string, string>>, exit = 0): Promise<RunReport> {
  const { code, stdout, stderr } = await runCli(["run", "--no-html", "--json"], {
    cwd: folder,
    environment,
    limitMs: 140_000,
  })
  expect({ code, stderr }).toEqual({ code: exit, stderr: expect.any(String) })
  return JSON.parse(stdout) as RunReport
}

/** A port that was free a moment ago. */
function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    }),
  )
}

const numberIn = (figure: Figure | undefined) => (figure?.status === "known" ? figure.value : null)

describe.skipIf(process.platform === "win32")("the energy of a run", () => {
  it("is that of the answers, of 50 ms as of 10 s, without load, warm-up and idle time; priced by the stated factors", async () => {
    const lengths = [50, 1000, 10_000]
    const zone = "powercap/intel-rapl:0"
    const folder = await project(
      lengths.map((ms) => ({ name: `of-${ms}ms`, args: [String(ms), "0", zone, "pid"] })),
      `axes: ["quality", "joulesPerCorrect"], constraints: ["energy per answer < 200 J"],
       energy: { usdPerKwh: 0.36, gramsCo2PerKwh: 360, source: "a bill" }, concurrency: 1`,
    )
    const report = await reportOf(folder, { EVALKIT_POWERCAP: join(folder, "powercap") })
    for (const [i, ms] of lengths.entries()) {
      const { resources } = report.variants[i]!
      const truth = ms / 10
      const ratio = (figure: Figure | undefined, expected: number) => (numberIn(figure) ?? 0) / expected
      expect(Math.abs(ratio(resources.joulesPerAnswer, truth) - 1)).toBeLessThan(0.02)
      expect(Math.abs(ratio(resources.joulesPerCorrect, 2 * truth) - 1)).toBeLessThan(0.02)
      expect(Math.abs(ratio(resources.joulesPerToken, truth / 5) - 1)).toBeLessThan(0.02)
      expect(Math.abs(ratio(resources.electricityUsdPerAnswer, (truth / 3.6e6) * 0.36) - 1)).toBeLessThan(0.02)
      expect(Math.abs(ratio(resources.gramsCo2PerCorrect, ((2 * truth) / 3.6e6) * 360) - 1)).toBeLessThan(0.02)
      expect(resources.electricityUsdPerAnswer).toMatchObject({ method: expect.stringContaining("(a bill)") })
    }
    expect(report.frontier?.axes.map(({ name }) => name)).toEqual(["quality", "joulesPerCorrect"])
    const text = await runCli(["report", report.run.id, "--format", "md"], { cwd: folder })
    expect(text.stdout).toContain("electricity per 1k")
  })

  it("is unknown with the reason where nothing can be read, and without stated factors has no price", async () => {
    const folder = await project([{ name: "blind", args: ["50", "0", "none", "pid"] }], "")
    const report = await reportOf(folder, { EVALKIT_POWERCAP: join(folder, "nowhere"), PATH: "" })
    const { joulesPerAnswer, electricityUsdPerAnswer } = report.variants[0]!.resources
    expect(joulesPerAnswer).toMatchObject({
      status: "unknown",
      reason: expect.stringContaining("the system shows no energy counters (RAPL)"),
    })
    expect(electricityUsdPerAnswer).toMatchObject({
      status: "unknown",
      reason: expect.stringContaining("set energy.usdPerKwh in the config"),
    })
  })

  it("takes the GPU's watts and memory of its own process by nvidia-smi; a limit on memory counts both", async () => {
    const folder = await project(
      [{ name: "on-a-gpu", args: ["50", "250", "none", "pid"] }],
      `gate: [{ figure: "memoryBytes", max: ${1024 ** 3} }], concurrency: 1`,
    )
    writeFileSync(
      join(folder, "nvidia-smi"),
      `#!/bin/sh
case "$*" in
  *query-gpu*) while :; do echo "GPU-a, H100, 550.54, 50, 310.5, 300, 0x0000000000000020, 71, 700.00"; echo "GPU-b, H100, 550.54, 99, 700"; sleep 0.02; done;;
  *) while :; do echo "GPU-a, $(cat ${folder}/pid), 2048"; echo "GPU-b, 1, 4096"; sleep 0.02; done;;
esac`,
    )
    chmodSync(join(folder, "nvidia-smi"), 0o755)
    // A gate that is not kept ends with 3.
    const report = await reportOf(
      folder,
      {
        EVALKIT_POWERCAP: join(folder, "nowhere"),
        PATH: `${folder}${delimiter}${process.env.PATH}`,
      },
      3,
    )
    const { resources } = report.variants[0]!
    // Constant watts: whatever the time was, the mean is they, and the sum is theirs over it.
    expect(numberIn(resources.meanWatts)).toBeCloseTo(310.5, 6)
    expect((numberIn(resources.joulesPerAnswer) ?? 0) * samples).toBeCloseTo(numberIn(resources.energyJoules) ?? -1, 6)
    expect(numberIn(resources.gpuMemoryBytes)).toBe(2 * 1024 ** 3)
    expect(JSON.stringify(report.gate)).toContain("memoryBytes")
    const gpus = report.sections.find((section) => "topic" in section && section.topic === "gpus")
    const { rows } = (gpus?.data ?? { rows: [] }) as unknown as { rows: (string | Figure)[][] }
    const [row] = rows
    expect(row?.slice(0, 3)).toEqual(["on-a-gpu", "H100", "550.54"])
    const shown = row?.map((cell) => (typeof cell === "string" ? cell : (numberIn(cell) ?? "unknown")))
    // The mean is weighted by time: the last digit of its sum is not promised.
    expect(shown?.slice(4)).toEqual([2 * 1024 ** 3, 0.5, expect.closeTo(310.5, 6), 700, 71, 1, 0, 0])
    expect(gpus?.caution).toContain(
      "on-a-gpu: heat or the hardware held the GPU's clocks down in 100 % of the readings",
    )
  })
})

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openRunStore } from "../../src/store/run-store.ts"
import { type CliResult, runCli } from "../support/cli.ts"
import { serveLoopback, startChat } from "../support/loopback.ts"
import { isNightly } from "../support/nightly.ts"
import { scratchDirectory } from "../support/scratch.ts"

/** Milliseconds that the end may take: 2 s, and as much again on a machine that others keep busy. */
const longestMs = 4000

const server = await serveLoopback((request, response) => {
  if (request.method === "GET") return response.end("{}")
  const chat = startChat(response)
  const words = ["one ", "two ", "three ", "four"]
  words.forEach((content, i) => {
    setTimeout(() => {
      chat.delta({ content })
      if (i < words.length - 1) return
      chat.end(3, 4)
    }, 10 * i)
  })
})

/** A run of recorded answers whose metric or report is slow as long as the file `slow` is there. */
function project(samples: number, more: string, provider?: string): string {
  const folder = scratchDirectory()
  writeFileSync(join(folder, "slow"), "")
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { existsSync, writeFileSync } from "node:fs"
import { defineConfig, exactMatch, fromFunction, inline, meanMetric, openai, recorded, variant } from "evalkit"
const rows = Array.from({ length: ${samples} }, (_, i) => ({ id: "s" + i, input: "question " + i, reference: "yes", text: "yes" }))
const isSlow = existsSync("slow")
const slow = (measure: () => unknown) =>
  meanMetric({ name: "slow", signature: "slow", direction: "higher", range: [0, 1], measure: () => (isSlow ? measure() : 1) as never })
export default defineConfig({
  dataset: inline(rows.map(({ text: _, ...row }) => row)),
  variants: [variant({ name: "a", provider: ${provider ?? "recorded(rows)"} })],
  ${more}
})
`,
  )
  return folder
}

interface Interrupted extends CliResult {
  readonly afterMs: number
}

/** Sends the signals, a moment apart, once the command shows that it is where it should be. */
async function interrupt(
  folder: string,
  args: readonly string[],
  isThere: (stderr: string) => boolean,
  signals: readonly NodeJS.Signals[] = ["SIGINT"],
): Promise<Interrupted> {
  let sentMs: number | null = null
  const ended = await runCli(args, {
    cwd: folder,
    started(child) {
      let stderr = ""
      child.stderr?.on("data", (text) => (stderr += String(text)))
      const timer = setInterval(() => {
        if (!isThere(stderr)) return
        clearInterval(timer)
        sentMs = performance.now()
        signals.forEach((signal, i) => {
          setTimeout(() => child.kill(signal), 150 * i)
        })
      }, 20)
      child.once("exit", () => clearInterval(timer))
    },
  })
  return { ...ended, afterMs: performance.now() - (sentMs ?? Number.NaN) }
}

async function resumes(folder: string): Promise<void> {
  rmSync(join(folder, "slow"))
  const resumed = await runCli(["run", "--resume", "--json"], { cwd: folder })
  expect([resumed.code, resumed.stderr.includes("evalkit:")]).toEqual([0, false])
  const store = openRunStore(join(folder, ".evalkit"), { readonly: true })
  expect(store.runs().map(({ status }) => status)).toEqual(["finished"])
  store.close()
}

const scoring = (stderr: string) => stderr.includes("scoring")

it("ends while a metric never answers", { skip: !isNightly, timeout: 90_000 }, async () => {
  const folder = project(5, "metrics: [slow(() => new Promise(() => {}))]")
  const ended = await interrupt(folder, ["run"], scoring)
  expect([ended.code, ended.signal]).toEqual([130, null])
  expect(ended.afterMs).toBeLessThan(longestMs)
  await resumes(folder)
})

it("ends between two answers that a metric holds the processor for", {
  skip: !isNightly,
  timeout: 90_000,
}, async () => {
  const busy = "{ const end = performance.now() + 10; while (performance.now() < end); return 1 }"
  const folder = project(4000, `metrics: [slow(() => ${busy})]`)
  const ended = await interrupt(folder, ["run"], scoring)
  expect([ended.code, ended.signal]).toEqual([130, null])
  expect(ended.afterMs).toBeLessThan(longestMs)
  await resumes(folder)
})

const endless = `metrics: [exactMatch()],
  reports: [{ name: "endless", extension: "txt", binary: false, async render(input, write) {
    do for await (const { sample, answers } of input.samples()) await write(sample.id + answers.length + "\\n")
    while (isSlow)
  } }],`

it("ends while a report is written, without half a file, and with the run as it was", {
  skip: !isNightly,
  timeout: 90_000,
}, async () => {
  const folder = project(50, endless)
  const parts = () => existsSync(join(folder, ".evalkit/reports")) && !scoringOnly()
  const scoringOnly = () => {
    const store = openRunStore(join(folder, ".evalkit"), { readonly: true })
    const [run] = store.runs()
    store.close()
    return run?.status !== "finished"
  }
  const ended = await interrupt(folder, ["run"], parts)
  expect([ended.code, ended.signal]).toEqual([130, null])
  expect(ended.afterMs).toBeLessThan(longestMs)
  const store = openRunStore(join(folder, ".evalkit"), { readonly: true })
  const id = store.runs()[0]?.id
  store.close()
  expect(existsSync(join(folder, `.evalkit/reports/${id}.txt`))).toBe(false)
  expect(existsSync(join(folder, `.evalkit/reports/${id}.txt.part`))).toBe(false)
  // `evalkit report` ends in the same way.
  const rendered = await interrupt(folder, ["report", "-f", "endless", "-o", "out.txt"], () =>
    existsSync(join(folder, "out.txt.part")),
  )
  expect([rendered.code, rendered.afterMs < longestMs]).toEqual([130, true])
  expect([existsSync(join(folder, "out.txt")), existsSync(join(folder, "out.txt.part"))]).toEqual([false, false])
  await resumes(folder)
})

it("ends while the client's own error is measured", { skip: !isNightly, timeout: 90_000 }, async () => {
  const provider = `openai({ model: "m", baseUrl: "${server.url}", apiKeyVariable: null })`
  // Where the measurement is over before the signal comes, it ends the report that never would.
  const folder = project(20, endless, provider)
  const ended = await interrupt(folder, ["run"], (stderr) =>
    /measuring the client's own error|summarising/.test(stderr),
  )
  expect([ended.code, ended.signal]).toEqual([130, null])
  expect(ended.afterMs).toBeLessThan(longestMs)
  await resumes(folder)
})

it("ends at once at the second signal, also where nothing gives way", {
  skip: !isNightly,
  timeout: 90_000,
}, async () => {
  // The first signal is heard while the metric waits; after that it never gives the thread up again.
  const stubborn = "(writeFileSync('there', ''), new Promise(() => setTimeout(() => { for (;;); }, 400)))"
  const folder = project(5, `metrics: [slow(() => ${stubborn})]`)
  const isThere = () => existsSync(join(folder, "there"))
  const ended = await interrupt(folder, ["run"], isThere, ["SIGINT", "SIGINT", "SIGINT", "SIGINT", "SIGINT"])
  expect(ended.signal ?? ended.code).toEqual(expect.toBeOneOf(["SIGINT", 130]))
  expect(ended.afterMs).toBeLessThan(longestMs)
  await resumes(folder)
})

it.runIf(isNightly).each([
  ["a metric", "metrics: [slow(() => { writeFileSync('there', ''); for (;;); })]"],
  ["a metric between its turns", "metrics: [slow(async () => { writeFileSync('there', ''); for (;;) await null })]"],
  [
    "a provider",
    "metrics: [exactMatch()]",
    "fromFunction(() => { if (existsSync('there')) while (isSlow); writeFileSync('there', ''); return 'yes' }, { name: 'fn' })",
  ],
  ["a config", "metrics: [exactMatch((() => { writeFileSync('there', ''); while (isSlow); })())]"],
])(
  "ends at the first signal that comes once %s has held the thread for seconds, and goes on with what is on record",
  async (_, metrics, provider?: string) => {
    const folder = project(5, metrics, provider)
    const there = join(folder, "there")
    const isHeld = () => existsSync(there) && Date.now() - statSync(there).mtimeMs > 6_000
    const ended = await interrupt(folder, ["run"], isHeld)
    expect([ended.code, ended.signal]).toEqual([null, "SIGINT"])
    expect(ended.afterMs).toBeLessThan(longestMs)
    if (existsSync(join(folder, ".evalkit"))) await resumes(folder)
  },
  90_000,
)

it("ends while a step of the statistics holds the thread, with the run as it was", async () => {
  const section = "section: () => { writeFileSync('there', ''); while (isSlow); return null }"
  const folder = project(20, `metrics: [{ ...exactMatch(), ${section} }]`)
  const ended = await interrupt(folder, ["run", "--no-html"], () => existsSync(join(folder, "there")))
  expect([ended.code, ended.signal, ended.stderr.includes("interrupted")]).toEqual([130, null, true])
  expect(ended.afterMs).toBeLessThan(longestMs)
  await resumes(folder)
}, 90_000)

it.runIf(isNightly).each(["SIGTERM", "SIGHUP"] as const)(
  "%s ends a step of the statistics that holds the thread, with the run as it was",
  async (signal) => {
    const section = "section: () => { writeFileSync('there', ''); while (isSlow); return null }"
    const folder = project(20, `metrics: [{ ...exactMatch(), ${section} }]`)
    const ended = await interrupt(folder, ["run", "--no-html"], () => existsSync(join(folder, "there")), [signal])
    expect([ended.code, ended.signal]).toEqual([null, signal])
    expect(ended.afterMs).toBeLessThan(longestMs)
    await resumes(folder)
  },
  90_000,
)

it.runIf(isNightly).each([
  [
    "compare",
    ["compare", "a", "b", "--config", "eval.config.ts"],
    "metrics: [{ ...exactMatch(), aggregation: { kind: 'rows' }, summarise: hold }]",
  ],
  ["run --dry-run", ["run", "--dry-run"], "dataset: inline(rows, { filter: hold })"],
])(
  "%s, which only computes, ends at once while it holds the thread",
  async (_, args, more) => {
    const folder = project(20, "metrics: [exactMatch()],")
    const config = join(folder, "eval.config.ts")
    if (args[0] === "compare") {
      writeFileSync(config, readFileSync(config, "utf8").replace("variants: [", `variants: [${other}, `))
      await runCli(["run", "--no-html"], { cwd: folder })
    }
    const hold = `const hold = () => { writeFileSync("there", ""); while (isSlow); return { value: 1 } }`
    const text = readFileSync(config, "utf8").replace("export default", `${hold}\nexport default`)
    writeFileSync(config, text.replace(/\n\}\)\s*$/, `\n${more} })\n`))
    const ended = await interrupt(folder, args, () => existsSync(join(folder, "there")))
    expect([ended.code, ended.signal, ended.stderr]).toEqual([null, "SIGINT", ""])
    expect(ended.afterMs).toBeLessThan(longestMs)
  },
  90_000,
)

const other = `variant({ name: "b", provider: recorded(rows) })`

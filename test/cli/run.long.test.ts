import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { callCli } from "../support/call-cli.ts"
import { runCli } from "../support/cli.ts"
import { serveLoopback, streamChat } from "../support/loopback.ts"
import { isNightly, sized } from "../support/nightly.ts"
import { scratchDirectory } from "../support/scratch.ts"

/** A chat endpoint that takes 5 ms per answer, counts what it was asked and states a window of 20 tokens. */
const asked: string[] = []

const server = await serveLoopback((request, response, body) => {
  if (request.method === "GET") return response.end('{"object":"list","data":[{"id":"echo","max_model_len":20}]}')
  const { messages, model } = JSON.parse(body) as { messages: { content: string }[]; model: string }
  const text = messages[0]?.content ?? ""
  asked.push(`${model}/${text}`)
  setTimeout(() => {
    streamChat(response, text, 3, 2, model)
  }, 5)
})
const baseUrl = server.url

const secret = "test-key-that-must-never-be-written"

/** A project folder with a config of one hosted variant and `n` samples. */
function project(n: number, more = "", imports = ""): string {
  const folder = scratchDirectory()
  const lines = Array.from({ length: n }, (_, i) =>
    JSON.stringify({ id: `s${i}`, input: `text ${i}`, reference: `text ${i}` }),
  )
  writeFileSync(join(folder, "data.jsonl"), `${lines.join("\n")}\n`)
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { ${imports}dataset, defineConfig, exactMatch, openai, variant } from "evalkit"
export default defineConfig({
  dataset: dataset("data.jsonl"),
  variants: [variant({ name: "hosted", provider: openai({ model: "echo", baseUrl: "${baseUrl}", apiKeyVariable: "ECHO_KEY" }) })],
  metrics: [exactMatch()],
  concurrency: 2,
  ${more}
})
`,
  )
  return folder
}

const environment = { ECHO_KEY: secret }

describe("evalkit run", () => {
  it.each((["SIGINT", "SIGTERM", "SIGHUP"] as const).slice(0, sized(3, 1)))(
    "ends in order at %s: exit code 130, interrupted, resumable",
    async (signal) => {
      const folder = project(200)
      asked.length = 0
      const ended = await runCli(["run", "--no-html"], {
        cwd: folder,
        environment,
        started: (child) => {
          const timer = setInterval(() => {
            if (asked.length < 20) return
            clearInterval(timer)
            child.kill(signal)
          }, 2)
        },
      })
      expect([ended.code, ended.signal]).toEqual([130, null])
      const store = openRunStore(join(folder, ".evalkit"), { readonly: true })
      const [record] = store.runs()
      expect(record?.status).toBe("interrupted")
      expect([...store.finished(record!.id)]).toHaveLength(asked.length)
      store.close()
      expect(statSync(join(folder, ".evalkit", "evalkit.db")).mode & 0o077).toBe(0)
      expect(statSync(join(folder, ".evalkit")).mode & 0o077).toBe(0)
    },
  )

  it("keeps answers out of every percentile during which it was stopped, and says so", {
    skip: !isNightly,
  }, async () => {
    const folder = project(200)
    asked.length = 0
    const run = await runCli(["run", "--no-html", "--json"], {
      cwd: folder,
      environment,
      started: (child) => {
        const timer = setInterval(() => {
          if (asked.length < 60) return
          clearInterval(timer)
          child.kill("SIGSTOP")
          setTimeout(() => child.kill("SIGCONT"), 1500)
        }, 2)
      },
    })
    const { variants, checks } = JSON.parse(run.stdout) as RunReport
    const speed = variants[0]?.speed
    expect(speed?.stalled).toBeGreaterThanOrEqual(1)
    expect(speed?.stalled).toBeLessThanOrEqual(4)
    expect((speed?.stalled ?? 0) + (speed?.cold ?? 0) + (speed?.measured ?? 0)).toBe(200)
    expect(speed?.e2eMs.p99.status === "known" && speed.e2eMs.p99.value).toBeLessThan(1000)
    expect(checks.find(({ name }) => name === "this machine kept up with the answers")).toMatchObject({
      status: "passed",
      message: expect.stringContaining("stood still"),
    })
  })

  it("loses no answer to kill -9 and sends no finished request again", async () => {
    const folder = project(200)
    asked.length = 0
    const killed = await runCli(["run", "--no-html"], {
      cwd: folder,
      environment,
      started: (child) => {
        const timer = setInterval(() => {
          if (asked.length < 60) return
          clearInterval(timer)
          child.kill("SIGKILL")
        }, 2)
      },
    })
    expect(killed.signal).toBe("SIGKILL")
    const store = openRunStore(join(folder, ".evalkit"), { readonly: true })
    const [record] = store.runs()
    const saved = new Set([...store.finished(record!.id)].map(({ sampleId }) => sampleId))
    store.close()
    expect(saved.size).toBeGreaterThan(20)

    asked.length = 0
    const resumed = await runCli(["run", "--resume", "--no-html", "--json"], { cwd: folder, environment })
    expect(resumed.code).toBe(0)
    const askedAgain = asked.map((text) => text.replace("echo/text ", "s")).filter((id) => saved.has(id))
    expect(askedAgain).toEqual([])
    expect(asked).toHaveLength(200 - saved.size)
    const report = JSON.parse(resumed.stdout) as RunReport
    expect(report.variants[0]).toMatchObject({ planned: 200, finished: 200, outcomes: { ok: 200 } })
    expect(report.variants[0]?.quality[0]?.figure).toMatchObject({ status: "known", value: 1 })
  })

  it("writes the key of the environment to no file and prints it nowhere", async () => {
    const folder = project(5)
    const { code, stdout, stderr } = await runCli(["run"], { cwd: folder, environment })
    expect(code).toBe(0)
    expect(stdout + stderr).not.toContain(secret)
    const files = filesBelow(folder)
    expect(files.some((file) => file.endsWith(".html"))).toBe(true)
    expect(files.some((file) => file.endsWith("evalkit.db"))).toBe(true)
    for (const file of files) expect(readFileSync(file).includes(secret), file).toBe(false)
  })

  it("names the variable of a missing key and ends as incomplete", async () => {
    const { code, stderr } = await callCli(["run", "--no-html"], { cwd: project(3), environment: { ECHO_KEY: "" } })
    expect(stderr).toContain("ECHO_KEY")
    expect(code).toBe(5)
  })

  it("prints calls, tokens and cost before spending, and calls nobody", async () => {
    const folder = project(10, "repeats: 2,")
    asked.length = 0
    const { code, stdout } = await callCli(["run", "--dry-run"], { cwd: folder, environment })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /20 calls: 10 samples × 1 variant × 2 repeats. The cost is unknown: no price is known of \w+\./,
    )
    expect(asked).toEqual([])
  })

  it("counts answers in o200k tokens and characters, and names a price that is old", async () => {
    const price = '{ kind: "tokens", inputPerMillion: 1, outputPerMillion: 2, source: "a list", date: "2020-01-01" }'
    const variants = `[variant({ name: "v", provider: openai({ model: "echo", baseUrl: "${baseUrl}", apiKeyVariable: null }), price: ${price} })]`
    const folder = project(12, `variants: ${variants},`)
    const { stdout } = await callCli(["run", "--no-html", "--json"], { cwd: folder, environment })
    const {
      variants: [variant],
      sections,
      run,
    } = JSON.parse(stdout) as RunReport
    // "text 0" … "text 11": two or three o200k tokens, 6 or 7 characters; the service says 2, and $0.000007 each
    expect(variant?.text).toMatchObject({
      tokensPerAnswer: { value: 2, n: 12 },
      charactersPerAnswer: { value: (10 * 6 + 2 * 7) / 12 },
      usdPerAnswer: { value: expect.closeTo(7e-6, 12) },
    })
    expect(variant?.text?.o200kPerAnswer).toMatchObject({ status: "known", value: 3 })
    expect(variant?.notes).toEqual([expect.stringMatching(/^price: read on 2020-01-01, \d+ days before the run/)])
    expect(sections.map(({ kind }) => kind)).toContain("tokens")
    const csv = await callCli(["report", run.id, "--format", "csv"], { cwd: folder })
    expect(csv.stdout).toMatch(/o200kPerAnswer,.*usdPerAnswer,/)
  })

  it("prices a dry run call by call, so that many short prompts are not one long one", async () => {
    const price = `{ kind: "tokens", inputPerMillion: 0, outputPerMillion: 0, perRequestUsd: 0.01,
      longPrompts: [{ aboveTokens: 50, inputPerMillion: 1000, outputPerMillion: 0 }], source: "a test", date: "2026-11-01" }`
    const variants = `[variant({ name: "v", provider: openai({ model: "echo", baseUrl: "${baseUrl}" }), price: ${price} })]`
    const folder = project(20, `repeats: 2, variants: ${variants},`)
    const { stdout } = await callCli(["run", "--dry-run", "--json"], { cwd: folder, environment })
    expect((JSON.parse(stdout) as { maxCostUsd: number }).maxCostUsd).toBeCloseTo(0.4, 9)
  })

  it("tells how full the context window was that the endpoint states, in JSON and in Markdown", async () => {
    const folder = project(12)
    const { stdout } = await callCli(["run", "--no-html", "--json"], { cwd: folder, environment })
    const report = JSON.parse(stdout) as RunReport
    expect(report.variants[0]?.contextUse?.window).toMatchObject({ value: 20, method: "as the server states it" })
    const section = report.sections.find(({ kind }) => kind === "context_window")
    const quarter = { status: "known", value: 0.25 }
    const row = { variant: "hosted", requests: 12, p50: quarter, p95: quarter, largest: quarter, refused: 0 }
    expect(section?.data).toMatchObject({ variants: [row] })
    const markdown = await callCli(["report", report.run.id, "--format", "markdown"], { cwd: folder })
    expect(markdown.stdout).toContain("with room to spare; the largest used 25 % (hosted).")
  })

  it("ends with 3 when the gate fails on evidence", async () => {
    const folder = project(60, 'gate: [{ figure: "exactMatch", max: 0.2 }],')
    const { code } = await callCli(["run", "--no-html"], { cwd: folder, environment })
    expect(code).toBe(3)
  })

  it("writes the reports that the config names beside the store, one of the user's own among them", async () => {
    const own = `{
      name: "sentence", extension: "sentence.txt", binary: false,
      async render({ report, samples }, write) {
        await write(report.run.name + ":")
        for await (const { sample, answers } of samples()) await write(" " + sample.id + "=" + answers[0].generation.text)
      },
    }`
    const folder = project(2, `reports: [renderers.html(), renderers.junit(), ${own}],`, "renderers, ")
    const { code, stdout } = await callCli(["run", "--no-html"], { cwd: folder, environment })
    expect(code).toBe(0)
    const reports = join(folder, ".evalkit/reports")
    const [sentence, junit, ...others] = readdirSync(reports).sort().reverse()
    expect(others).toEqual([])
    expect(readFileSync(join(reports, junit ?? ""), "utf8")).toMatch(/^<\?xml .*<\/testsuites>\n$/s)
    expect(readFileSync(join(reports, sentence ?? ""), "utf8")).toMatch(/: s0=text 0 s1=text 1$/)
    expect(stdout).toContain(`.evalkit/reports/${sentence}`)
    const second = await callCli(["report", "-f", "sentence"], { cwd: folder })
    expect(second.stdout).toBe(readFileSync(join(reports, sentence ?? ""), "utf8"))
  }, 60_000)

  it("keeps the run and the other reports when a report fails, and says which one failed", async () => {
    const broken = `{ name: "broken", extension: "txt", binary: false, render: async (_, write) => {
      await write("half of it")
      throw new Error("no ink left")
    } }`
    const folder = project(2, `reports: [${broken}, renderers.markdown()],`, "renderers, ")
    const { code, stderr } = await callCli(["run"], { cwd: folder, environment })
    expect(code).toBe(1)
    expect(stderr).toContain("evalkit: the report broken could not be written: no ink left")
    expect(readdirSync(join(folder, ".evalkit/reports")).map((name) => name.replace(/^\w+/, ""))).toEqual([".md"])
  }, 60_000)

  it("lists and shows what was run", async () => {
    const folder = project(3)
    await callCli(["run", "--no-html"], { cwd: folder, environment })
    const listed = await callCli(["runs", "--json"], { cwd: folder })
    const [record] = JSON.parse(listed.stdout) as { id: string; status: string }[]
    expect(record?.status).toBe("finished")
    const shown = await callCli(["show", record!.id.slice(0, 4), "s1"], { cwd: folder })
    expect(shown.stdout).toContain("text 1")
    expect(shown.stdout).toContain("exact match 1")
  })
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
}

import { spawn } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import type { RunRecord } from "../../../src/core/run/run-record.ts"
import { findRun } from "../../../src/store/find-run.ts"
import { sealed } from "../../store/archive/archive-support.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { serveLoopback, streamChat } from "../../support/loopback.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { startView } from "../view/world.ts"

const cwd = scratchDirectory()
let url: string
let id: string
let measured: { readonly out: string; readonly err: string; readonly code: number }

async function evalkit(line: readonly string[], more: Parameters<typeof fakeIo>[0] = { cwd }) {
  const io = fakeIo(more)
  return { code: await main([...line], io), out: io.stdout(), err: io.stderr() }
}

const load = ["--model", "m", "--max-tokens", "4", "--requests", "40", "--no-calibrate", "--no-warm-up"]
const idIn = (err: string) => /kept as bench (\w+);/.exec(err)?.[1] ?? ""

beforeAll(async () => {
  const server = await serveLoopback(async (request, response) => {
    if (request.method !== "POST") return response.end('{"object":"list","data":[{"id":"m"}]}')
    await new Promise((resolve) => setTimeout(resolve, 5))
    streamChat(response, "yes it is so", 8, 4)
  })
  url = server.url
  measured = await evalkit(["bench", "--url", url, ...load, "--concurrency", "1,4", "--slo", "ttft<2s", "--json"])
  id = idIn(measured.err)
})

describe("a bench in the store", () => {
  it("is shown again as it was printed, and listed with its headline", async () => {
    expect(measured.code).toBe(0)
    expect((await evalkit(["show", id, "--json"])).out).toBe(measured.out)
    const [listed] = JSON.parse((await evalkit(["runs", "--json"])).out)
    expect(listed).toMatchObject({ id, kind: "bench", status: "finished" })
    const text = (await evalkit(["report", id])).out
    expect(text.trim().split("\n")[0]).toBe(listed.headline)
    expect(listed.headline).toMatch(/^m carries .* requests a second .*within its objectives, at [14] in flight\.$/)
    expect((await evalkit(["runs"])).out).toMatch(new RegExp(`${id} .*finished.*m carries`))
  })

  it.each([
    ["markdown", /^## m carries .*\n[\s\S]*\| variant \| load \|/],
    ["csv", /^variant,concurrency,/],
    ["html", /<h1>m carries /],
  ])("is reported as %s, the same as when it was measured", async (format, expected) => {
    expect((await evalkit(["report", id, "-f", format])).out).toMatch(expected)
  })

  it("is tagged, exported as an archive, removed, and read back the same", async () => {
    expect((await evalkit(["tag", id, "nightly"])).code).toBe(0)
    expect((await evalkit(["export", id, "--out", "one.evalkit.jsonl"])).code).toBe(0)
    expect((await evalkit(["rm", id, "--yes"])).out).toBe(`bench ${id} is removed\n`)
    expect((await evalkit(["show", id])).code).toBe(2)
    expect((await evalkit(["import", "one.evalkit.jsonl"])).out).toContain(`bench ${id}: 1 variant`)
    expect((await evalkit(["show", id, "--json"])).out).toBe(measured.out)
    expect((await evalkit(["import", "one.evalkit.jsonl"])).out).toContain("already, with the same content")
  })

  it("is refused as an archive whose figures are none", async () => {
    const lines = readFileSync(join(cwd, "one.evalkit.jsonl"), "utf8").replaceAll(id, "abcd1234")
    const broken = lines.replaceAll('"speed":{', '"sped":{').trim().split("\n").slice(0, -1)
    writeFileSync(join(cwd, "broken.evalkit.jsonl"), sealed(broken).join("\n"))
    const { code, err } = await evalkit(["import", "broken.evalkit.jsonl"])
    expect(code).toBe(2)
    expect(err).toMatch(/event\.data: what this load test found cannot be read/)
  })

  it.each([
    ["diff", "ID", "ID"],
    ["show", "ID", "s1"],
    ["report", "ID", "--for", "boss"],
  ])("is no run: %s says so", async (...line) => {
    const { code, err } = await evalkit(line.map((word) => (word === "ID" ? id : word)))
    expect([code, err]).toEqual([2, expect.stringContaining("load test")])
  })

  it("is meant without an id only where there is no run", () => {
    const [bench, run] = [{ id: "b", kind: "bench" }, { id: "r" }] as unknown as RunRecord[]
    const of = (...all: (RunRecord | undefined)[]) => ({ runs: () => all as RunRecord[] })
    expect(findRun(of(bench, run), undefined, "all")).toBe(run)
    expect(findRun(of(bench), undefined, "all")).toBe(bench)
    expect(() => findRun(of(bench), undefined)).toThrow("there are no runs yet")
  })

  it("is compared with another by id, and with what it printed, as files are", async () => {
    const later = await evalkit(["bench", "--url", url, ...load, "--concurrency", "1,4", "--json", "--compare", id])
    writeFileSync(join(cwd, "earlier.json"), measured.out)
    writeFileSync(join(cwd, "later.json"), later.out)
    const of = async (...line: string[]) => JSON.parse((await evalkit([...line, "--json"])).out).levels
    const levels = await of("compare", "earlier.json", "later.json")
    expect(levels).toContainEqual(expect.objectContaining({ name: "requests_per_second", runs_a: 1, runs_b: 1 }))
    expect(await of("compare", id, idIn(later.err))).toEqual(levels)
    expect(await of("bench", "--compare", id, "--with", "later.json")).toEqual(levels)
    expect((await evalkit(["compare", id, "m"])).code).toBe(2)
  })

  it.each([
    [0, "passed", ["--min", "availability=0.5", "--max", "availability=1"]],
    [3, "failed", ["--max", "availability=0.1", "--variant", "m at 4 in flight"]],
    [4, "inconclusive", ["--max", "ttftMs.p99=1500"]],
    [4, "inconclusive", ["--max", "perThousandUsd=1"]],
  ])("is held to limits: exit code %i, %s, of the store and of a file alike", async (code, status, rules) => {
    writeFileSync(join(cwd, "gated.json"), measured.out)
    const gated = await evalkit(["gate", id, ...rules, "--json"])
    expect(gated.code).toBe(code)
    const { rules: result, bench, ...facts } = JSON.parse(gated.out)
    expect(bench).toBe(id)
    expect(new Set(result.map((entry: { status: string }) => entry.status))).toEqual(new Set([status]))
    const fromFile = JSON.parse((await evalkit(["gate", "gated.json", ...rules, "--json"])).out)
    expect(fromFile).toEqual({ rules: result, bench: "gated.json", ...facts })
  })

  it("is written as JUnit and Markdown by the gate, which refuses what a bench has not", async () => {
    const line = ["gate", id, "--max", "availability=0.5", "--junit", "gate.xml", "--markdown", "gate.md"]
    expect(await evalkit(line)).toMatchObject({ code: 3, out: expect.stringMatching(/^Gate failed: 2 of 2 rules\n/) })
    expect(readFileSync(join(cwd, "gate.xml"), "utf8")).toContain('name="m at 1 in flight: availability at most 50 %"')
    expect(readFileSync(join(cwd, "gate.md"), "utf8")).toContain("| ✗ failed | m at 4 in flight |")
    for (const wrong of [["--baseline", id], ["--min", "nonsense=1"], ["--min", "goodput=1", "--variant", "x"], []])
      expect((await evalkit(["gate", id, ...wrong])).code).toBe(2)
    expect((await evalkit(["gate", "gate.xml", "--min", "goodput=1"])).code).toBe(2)
    const { rules } = JSON.parse((await evalkit(["gate", id, "--min", "capacity=1e9", "--json"])).out)
    expect(rules).toMatchObject([
      { variant: "m", rule: "requests a second within the objectives at least 1,000,000,000" },
    ])
  })

  it("is in the list of evalkit view, and its page is the one of bench --html", async () => {
    const view = await startView(cwd)
    try {
      const { text } = await view.get("")
      expect(text).toContain(`<li id="run-${id}">`)
      expect(text).toMatch(/load test · m<\/p><p class="facts">m carries /)
      const page = await view.get(`run/${id}`)
      const own = (await evalkit(["report", id, "-f", "html"])).out
      expect(page.text.replace(/<nav class="way-back".*?<\/nav>\n/s, "").replace("<body>\n", "<body>")).toBe(own)
      expect((await view.get(`annotations/${id}`)).text).toContain("nightly")
    } finally {
      await view.close()
    }
  })

  it("makes a trend with others of the same target, and abstains with two of them", async () => {
    const directory = join(cwd, "trend")
    const where = ["--directory", directory]
    const repeat = async (...more: string[]) =>
      idIn((await evalkit(["bench", "--url", url, ...load, "--concurrency", "4", ...where, ...more])).err)
    const ids = [await repeat(), await repeat()]
    const other = await repeat("--shared-prefix", "0.5")
    expect(await evalkit(["trend", "m", ...where])).toMatchObject({ code: 4, out: expect.stringContaining(other) })
    expect((await evalkit(["rm", other, "--yes", ...where])).code).toBe(0)
    const two = JSON.parse((await evalkit(["trend", "m", ...where, "--json"])).out)
    expect(two.points.map(({ bench }: { bench: string }) => bench)).toEqual(ids)
    expect(two.points[0].figures["ttftMs.p99"]).toMatchObject({ status: "known" })
    expect(two.comparison.levels.map(({ runs_a }: { runs_a: number }) => runs_a)).toContain(1)
    ids.push(await repeat())
    const { code, out } = await evalkit(["trend", "m", ...where])
    expect([0, 3, 4]).toContain(code)
    expect(ids.every((text) => out.includes(text))).toBe(true)
    expect(out).toMatch(/TTFT .* 2, 1 /)
    expect((await evalkit(["trend", "nobody", ...where])).code).toBe(2)
    expect((await evalkit(["trend", "nobody", "--bench", ...where])).code).toBe(2)
  }, 60_000)

  it("of a caller who stopped it keeps what was measured until then", async () => {
    const stop = new AbortController()
    const server = await serveLoopback((request, response) => {
      if (request.method !== "POST") return response.end('{"object":"list","data":[{"id":"m"}]}')
      streamChat(response, "yes", 8, 1)
      setTimeout(() => stop.abort(), 300)
    })
    const line = ["bench", "--url", server.url, "--model", "m", "--duration", "30s", "--no-calibrate", "--no-warm-up"]
    const { code, err } = await evalkit(line, { cwd, signal: stop.signal })
    expect(code).toBe(130)
    expect((await evalkit(["show", idIn(err)])).out).toContain("Interrupted: these figures cover")
    expect(JSON.parse((await evalkit(["runs", "--json"])).out)[0]).toMatchObject({ status: "interrupted" })
  })

  it("that was killed is listed as stopped, running while it lives, and hinders nobody", async () => {
    const directory = join(cwd, "killed")
    const slow = ["--requests", "100000", "--concurrency", "1", "--directory", directory]
    const child = spawn(process.execPath, ["dist/src/cli/bin.js", "bench", "--url", url, ...load.slice(0, 4), ...slow])
    const listed = async () => JSON.parse((await evalkit(["runs", "--json", "--directory", directory])).out)
    await expect.poll(async () => (await listed())[0]?.status, { timeout: 20_000 }).toBe("running")
    const [{ id: killed }] = await listed()
    expect(await evalkit(["rm", killed, "--yes", "--directory", directory])).toMatchObject({
      code: 2,
      err: expect.stringContaining("written by another process"),
    })
    const beside = await evalkit(["bench", "--url", url, ...load, "--directory", directory])
    expect(beside.code).toBe(0)
    const gone = new Promise((resolve) => child.on("exit", resolve))
    child.kill("SIGKILL")
    await gone
    expect((await listed()).map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
      [idIn(beside.err), "finished"],
      [killed, "stopped"],
    ])
    expect(await evalkit(["show", killed, "--directory", directory])).toMatchObject({
      code: 2,
      err: expect.stringContaining("has no figures"),
    })
    expect((await evalkit(["rm", killed, "--yes", "--directory", directory])).code).toBe(0)
    expect(readdirSync(directory).filter((name) => name.includes("bench-"))).toEqual([])
  }, 60_000)

  it("is measured where its store cannot be, unless the store was named", async () => {
    writeFileSync(join(cwd, "file"), "")
    const none = join(cwd, "file")
    expect(await evalkit(["bench", "--url", url, ...load, "--directory", none])).toMatchObject({ code: 2, out: "" })
    mkdirSync(join(cwd, "unwritable"))
    writeFileSync(join(cwd, "unwritable", ".evalkit"), "")
    const { code, out, err } = await evalkit(["bench", "--url", url, ...load], { cwd: join(cwd, "unwritable") })
    expect([code, out]).toEqual([0, expect.stringContaining("40 of 40 requests were answered")])
    expect(err).toContain("this bench is not kept in the store: ")
  })
})

import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { parquetReadObjects } from "hyparquet"
import { beforeAll, describe, expect, it } from "vitest"
import { reportRenderers } from "../../../reports/renderers.ts"
import { callCli } from "../../support/call-cli.ts"
import { ensurePage } from "../../support/page.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"
import { keepRun } from "../../support/synthetic/store.ts"

describe("evalkit report", () => {
  const cwd = scratchDirectory()

  beforeAll(async () => {
    await ensurePage()
    await keepRun(join(cwd, ".evalkit"), syntheticInput({ samples: 12 }), { id: "7f3a9c21" })
  })

  const evalkit = (...argv: string[]) => run("report", ...argv)

  async function run(...argv: string[]) {
    const { code, stdout: out, stderr: err } = await callCli(argv, { cwd })
    return { code, out, err }
  }

  it("prints the summary of the newest run", async () => {
    const { code, out } = await evalkit()
    expect(code).toBe(0)
    expect(out).toContain("run 7f3a9c21")
    expect(out).toContain("▲ m-f16")
  })

  it.each(reportRenderers.filter(({ binary }) => !binary).map(({ name }) => name))("prints %s", async (format) => {
    const { code, out, err } = await evalkit("7f3a", "--format", format)
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out.length).toBeGreaterThan(100)
  })

  it("is written for the one who decides, without samples, as the ending of its file says", async () => {
    const text = await evalkit("--for", "boss")
    expect(text).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^# (SWAP|KEEP|INCONCLUSIVE): [\s\S]*\n## Not checked\n/),
    })
    const pages = { boss: "boss.html", engineer: "engineer.html" }
    for (const [audience, file] of Object.entries(pages))
      expect((await evalkit("--for", audience, "-o", file)).code, audience).toBe(0)
    const [boss, engineer] = await Promise.all(Object.values(pages).map((file) => readFile(join(cwd, file), "utf8")))
    expect(boss).not.toContain('id="details"')
    expect(engineer).toMatch(/<details [^>]*id="details"[^>]*\bopen\b|<details [^>]*\bopen\b[^>]*id="details"/)
    await evalkit("-f", "html", "--no-samples", "-o", "bare.html")
    expect(await readFile(join(cwd, "bare.html"), "utf8")).not.toContain('id="samples"')
  })

  it("has the format that the name of its file ends as, where none is named", async () => {
    for (const [file, begin] of [
      ["page.HTML", "<!doctype html>"],
      ["page.htm", "<!doctype html>"],
      ["page.md", "## "],
      ["figures.json", "{"],
      ["checks.xml", "<?xml"],
      ["notes.txt", " "],
      ["notes", " "],
    ] as const) {
      expect((await evalkit("-o", file)).code, file).toBe(0)
      expect((await readFile(join(cwd, file), "utf8")).toLowerCase().slice(0, begin.length), file).toBe(begin)
    }
    expect(await evalkit("-o", "page.pdf")).toMatchObject({
      code: 2,
      err: expect.stringContaining("no format ends with .pdf"),
    })
    expect((await evalkit("--json", "-o", "figures.out")).code).toBe(0)
    expect((await evalkit("-f", "json", "-o", "named.html")).code).toBe(0)
    expect(await readFile(join(cwd, "named.html"), "utf8")).toMatch(/^\{/)
  })

  it.each([
    [["--for", "boss", "-f", "json"], "only HTML and Markdown are written for somebody"],
    [["--no-samples", "-f", "jsonl"], "only the HTML page is made without its samples"],
    [["--for", "boss", "-o", "x.html", "--full-texts", "t"], "a page without samples has no texts beside it"],
  ])("refuses %j, which would do something else", async (argv, message) => {
    expect(await evalkit(...argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
  })

  it("prints what is asked to go to -, the standard output, however the option is written", async () => {
    const { out } = await evalkit("7f3a", "-f", "csv")
    for (const option of [["--output", "-"], ["--out", "-"], ["--output=-"], ["-o", "-"]])
      expect(await evalkit("7f3a", "-f", "csv", ...option), option.join(" ")).toEqual({ code: 0, out, err: "" })
    expect(await run("export", "7f3a", "-f", "csv", "--output", "-")).toEqual({ code: 0, out, err: "" })
  })

  it("exports in the same formats under the same names, and an archive", async () => {
    for (const format of ["csv", "answers-csv", "jsonl", "markdown"])
      expect((await run("export", "7f3a", "-f", format)).out).toBe((await evalkit("7f3a", "-f", format)).out)
    expect((await run("show", "7f3a")).out).toBe((await evalkit("7f3a")).out)
    const archive = await run("export", "--format", "archive", "--out", "out/run.jsonl")
    expect(archive).toEqual({ code: 0, out: "", err: `evalkit: wrote ${join(cwd, "out/run.jsonl")}\n` })
    expect(await readFile(join(cwd, "out/run.jsonl"), "utf8")).toMatch(/^\{"kind":"run","format":2,/)
  })

  it("exports in the format of the file's ending, and refuses one that is of none", async () => {
    const written = async (file: string, ...more: string[]) => {
      expect(await run("export", "--out", file, ...more), file).toMatchObject({ code: 0, out: "" })
      return readFile(join(cwd, file), "utf8")
    }
    const printed = async (format: string) => (await evalkit("7f3a", "-f", format)).out
    expect((await written("by/answers.PARQUET")).slice(0, 4)).toBe("PAR1")
    expect(await written("by/run.evalkit.jsonl")).toMatch(/^\{"kind":"run","format":2,/)
    expect(await written("by/run.answers.csv")).toBe(await printed("answers-csv"))
    expect(await written("by/run.csv")).toBe(await printed("csv"))
    expect(await written("by/gate.xml")).toBe(await printed("junit"))
    for (const file of ["by/run.jsonl", "by/run"]) expect(await written(file)).toBe(await printed("jsonl"))
    // What --format says comes first.
    expect(await written("by/said.zip", "--format", "md")).toBe(await printed("markdown"))
    const refused = await run("export", "-o", "by/x.zip")
    expect(refused).toMatchObject({ code: 2, out: "" })
    expect(refused.err).toMatch(
      /^evalkit: no format ends with \.zip: --out by\/x\.zip; take one of \.evalkit\.jsonl, .*\.parquet, .*--format\n$/,
    )
    expect(existsSync(join(cwd, "by/x.zip"))).toBe(false)
  })

  it("says that a folder or a full disk cannot be written", async () => {
    for (const path of [cwd, ...(existsSync("/dev/full") ? ["/dev/full"] : [])]) {
      const { code, err } = await evalkit("7f3a", "-f", "json", "--out", path)
      expect(err).toMatch(/^evalkit: the file cannot be written: .*\((EISDIR|ENOSPC)\); name a file/)
      expect(code).toBe(2)
    }
  })

  it("names the formats when it is asked for one that is not there", async () => {
    const { code, err } = await evalkit("-f", "papyrus")
    expect(code).toBe(2)
    expect(err).toMatch(/there is no format "papyrus".*choose from: terminal, html, markdown, json, csv/s)
    for (const gone of ["badge", "vega-lite"]) expect((await evalkit("-f", gone)).err).toContain(`no format "${gone}"`)
    const exported = await run("export", "-f", "mflow")
    expect(exported.err).toMatch(
      /^evalkit: there is no format "mflow": --format; did you mean "mlflow"\? choose from: .*wandb, archive, /,
    )
  })

  it("writes files, binary ones too, and says where", async () => {
    const { code, out, err } = await evalkit("-f", "parquet", "-o", "out/answers.parquet")
    expect({ code, out }).toEqual({ code: 0, out: "" })
    expect(err).toContain("answers.parquet")
    const bytes = await readFile(join(cwd, "out/answers.parquet"))
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    expect(await parquetReadObjects({ file })).toHaveLength(72)
    expect((await evalkit("-f", "html", "-o", "report.html")).code).toBe(0)
    expect(await readFile(join(cwd, "report.html"), "utf8")).toMatch(/<\/html>\n$/)
  })

  it("refuses to print what is not text, and runs that are not there", async () => {
    const binary = await evalkit("-f", "parquet")
    expect(binary.code).toBe(2)
    expect(binary.err).toContain("write it to a file with --output")
    expect((await evalkit("ffff")).code).toBe(2)
  })

  it("fails when the file cannot be written", async () => {
    const { code, err } = await evalkit("-f", "html", "-o", ".evalkit")
    expect(code).not.toBe(0)
    expect(err).toContain(".evalkit")
  })
})

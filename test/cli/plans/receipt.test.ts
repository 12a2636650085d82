import { createHash, generateKeyPairSync } from "node:crypto"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { createSamplesFingerprint } from "../../../src/core/run/samples-fingerprint.ts"
import { callCli } from "../../support/call-cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const home = scratchDirectory()
/** Another machine: a folder with the receipt, the archive and the public key, without config and store. */
const other = scratchDirectory()
const at =
  (cwd: string) =>
  (...words: string[]) =>
    callCli(words, { cwd })

const config = `import { defineConfig, exactMatch, fromFunction, recorded, rubric, rubrics, variant } from "evalkit"
const ids = Array.from({ length: 60 }, (_, i) => "s" + i)
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 2, source: "a list", date: "2026-11-01" }
const side = (name, wrong, factor) => variant({ name, price: { ...price, inputPerMillion: factor, outputPerMillion: 2 * factor }, prompt: "Say: {{input}}", provider: recorded(
  ids.map((id, i) => ({ id, text: i < wrong ? "b" : "a", e2eMs: 20 + i % 7, usage: { promptTokens: 10, completionTokens: 5 } })),
) })
export default defineConfig({
  dataset: ids.map((id, i) => ({ id, input: "q" + i, references: ["a"], critical: i > 55 })),
  variants: [side("f16", 0, 1), side("q4", 3, 0.5)],
  metrics: [exactMatch(), rubric({ name: "helpfulness", rubric: rubrics.helpfulness, provider: fromFunction(async () => ({ text: '{"verdict": "4"}' })) })],
  primary: "exactMatch", margin: 0.2,
})`

type Part = Record<string, unknown>

/** An archive whose lines somebody changed who knew how to seal it again. */
function tampered(change: (line: Part) => void): string {
  const lines = readFileSync(join(other, "run.evalkit.jsonl"), "utf8").trim().split("\n").slice(0, -1)
  const texts = lines.map((text) => {
    const line = JSON.parse(text)
    change(line)
    return `${JSON.stringify(line)}\n`
  })
  const end = { kind: "end", lines: lines.length, sha256: createHash("sha256").update(texts.join("")).digest("hex") }
  writeFileSync(join(other, "changed.evalkit.jsonl"), `${texts.join("")}${JSON.stringify(end)}\n`)
  return "changed.evalkit.jsonl"
}

/** What a line of an archive holds of a kind; `metric` and `stated` (variants of the config) stand in its record. */
function partsOf(line: Part, kind: string): Part[] {
  const record = line.record as { metrics: Part[]; config: { variants: Part[] } } | undefined
  if (kind === "metric") return record?.metrics ?? []
  if (kind === "stated") return record?.config.variants ?? []
  return line[kind] ? [line[kind] as Part] : []
}

const has = (like: Part) => (part: Part) => Object.entries(like).every(([key, value]) => part[key] === value)

function set(part: Part, path: string, value: unknown): void {
  const keys = path.split(".")
  const last = keys.pop() as string
  const inner = keys.reduce((result, key) => result[key] as Part, part)
  inner[last] = value
}

const evalkit = at(home)
const verify = (archive: string, key = "key.pub.pem") =>
  at(other)("verify", "receipt.json", archive, "--public-key", key)
const flat = (text: string) => text.replace(/\s+/g, " ")

beforeAll(async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  writeFileSync(join(home, "key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }))
  writeFileSync(join(other, "key.pub.pem"), publicKey.export({ type: "spki", format: "pem" }))
  writeFileSync(join(home, "eval.config.ts"), config)
  expect((await evalkit("plan", "--freeze")).code).toBe(0)
  const run = await evalkit("run", "--no-html")
  expect(run.code, run.stderr).toBe(0)
  const made = await evalkit("receipt", "--key", "key.pem", "-o", "receipt.json")
  expect([made.code, made.stderr.includes("wrote")]).toEqual([0, true])
  expect(made.stdout).toMatch(
    /^evalkit receipt [0-9a-f]{12}: \S.* f16 by q4 \(exact match .0\.05, .*60 pairs\) · run .* · plan [0-9a-f]{12} · signed by key [0-9a-f]{12}\n$/,
  )
  await evalkit("export", "--format", "archive", "--out", "run.evalkit.jsonl")
  for (const name of ["receipt.json", "run.evalkit.jsonl"]) copyFileSync(join(home, name), join(other, name))
}, 60_000)

describe("a receipt", () => {
  it("is small, and holds on another machine: the verdict is computed again from the archive", async () => {
    expect(readFileSync(join(other, "receipt.json")).length).toBeLessThan(8000)
    const { code, stdout, stderr } = await verify("run.evalkit.jsonl")
    expect([code, stderr]).toEqual([0, ""])
    expect(flat(stdout)).toContain(
      "The receipt holds: verdict and figures are the same, computed again from run.evalkit.jsonl.",
    )
    expect(
      (await evalkit("verify", "receipt.json", JSON.parse(readFileSync(join(home, "receipt.json"), "utf8")).run.id))
        .code,
    ).toBe(0)
  })
  const q4 = { variant: "q4" }
  it.each([
    ["an answer", "answers of q4 changed: s7", "generation", { ...q4, sampleId: "s7" }, "text", "b"],
    ["a score", "scores of exact match changed", "row", { ...q4, metric: "exactMatch", sampleId: "s0" }, "value", 1],
    ["what a judge said", "scores of helpfulness changed", "row", { ...q4, metric: "helpfulness" }, "value", 0],
    [
      "the judge",
      "metric helpfulness: how it is computed",
      "metric",
      { name: "helpfulness" },
      "signature",
      "judge:other",
    ],
    ["a metric", "metric exact match: how it is computed", "metric", { name: "exactMatch" }, "signature", "v:2"],
    [
      "a price",
      "variant q4: price: input per million 2 instead of 0.5",
      "stated",
      { name: "q4" },
      "price.inputPerMillion",
      2,
    ],
    ["a cost", "figure cost: q4: ", "generation", q4, "cost.usd", 0.5],
    ["a prompt", "variant q4: prompt: sha256", "stated", { name: "q4" }, "prompt", "Say nicely: {{input}}"],
    ["the margin", "margin 0.01 instead of 0.2", "record", {}, "margin", 0.01],
    ["the error rate", "alpha (1 \u2212 confidence) 0.2 instead of 0.05", "record", {}, "alpha", 0.2],
    ["the plan", "plan sha256: 0000", "report", {}, "plan.sha256", "0".repeat(64)],
  ])("that is verified against an archive with %s changed names it", async (_, words, kind, like, path, value) => {
    const archive = tampered((line) =>
      partsOf(line, kind)
        .filter(has(like))
        .forEach((part) => {
          set(part, path, value)
        }),
    )
    const { code, stdout, stderr } = await verify(archive)
    expect([code, stderr]).toEqual([3, ""])
    expect(flat(stdout)).toContain(words)
  })
  it("names a verdict that is another one by what was changed", async () => {
    const archive = tampered((line) => {
      for (const part of partsOf(line, "record")) part.margin = 0.01
    })
    expect(flat((await verify(archive)).stdout)).toContain("figure q4: verdict: inconclusive instead of swap")
  })
  it("names a question that changed with its data set's fingerprint", async () => {
    const samples = createSamplesFingerprint()
    tampered((line) => {
      for (const sample of partsOf(line, "sample")) {
        if (sample.id === "s3") sample.input = "another question"
        samples.add(sample as never)
      }
    })
    const fingerprint = samples.digest()
    const archive = tampered((line) => {
      for (const sample of partsOf(line, "sample").filter(has({ id: "s3" }))) sample.input = "another question"
      for (const part of [...partsOf(line, "record"), ...partsOf(line, "report")])
        set(part, "dataset.fingerprint", fingerprint)
    })
    const { code, stdout, stderr } = await verify(archive)
    expect([code, stderr]).toEqual([3, ""])
    expect(flat(stdout)).toContain("questions, references or fields of samples changed: s3")
    expect(flat(stdout)).toContain("data set its rows (SHA-256)")
  })
  it("names its own changes: the figures, the key, and that it is not signed", async () => {
    const path = join(other, "receipt.json")
    const text = readFileSync(path, "utf8")
    const receipt = JSON.parse(text)
    const against = async (changed: unknown, key?: string) => {
      writeFileSync(path, JSON.stringify(changed))
      const { code, stdout } = await verify("run.evalkit.jsonl", key)
      return [code, flat(stdout)] as const
    }
    try {
      const better = structuredClone(receipt)
      better.candidates[0].verdict = "keep"
      const [code, said] = await against(better)
      expect([
        code,
        said.includes("the signature is not that of this receipt"),
        said.includes("figure q4: verdict: swap instead of keep"),
      ]).toEqual([3, true, true])
      const [unsigned, why] = await against({ ...receipt, signature: null })
      expect([unsigned, why.includes("it is not signed")]).toEqual([3, true])
      const { publicKey } = generateKeyPairSync("ed25519")
      writeFileSync(join(other, "theirs.pem"), publicKey.export({ type: "spki", format: "pem" }))
      const [theirs, whose] = await against(receipt, "theirs.pem")
      expect([theirs, whose.includes("it is signed by another key than yours")]).toEqual([3, true])
    } finally {
      writeFileSync(path, text)
    }
  })
  it.each([
    ["another algorithm", "signature.algorithm", "none", "signature.algorithm"],
    ["wrong types", "samples.digests", ["0"], "samples.digests"],
    ["unknown fields", "run.extra", 1, "extra"],
    ["great depth", "decides.config", JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`), "levels deep"],
    ["great size", "run.versions.x", "x".repeat(5 * 2 ** 20), "larger than 4 MiB"],
  ])("with %s is refused with exit code 2", async (_, path, value, words) => {
    const receipt = JSON.parse(readFileSync(join(other, "receipt.json"), "utf8"))
    set(receipt, path, value)
    writeFileSync(join(other, "hostile.json"), JSON.stringify(receipt))
    const { code, stderr } = await at(other)("verify", "hostile.json", "run.evalkit.jsonl")
    expect([code, stderr.includes("this is no receipt of evalkit"), stderr.includes(words)]).toEqual([2, true, true])
  })
  it("with a field named __proto__ is refused, and one that is no JSON", async () => {
    const text = readFileSync(join(other, "receipt.json"), "utf8")
    writeFileSync(join(other, "hostile.json"), text.replace('"config": {', '"config": {"__proto__": {"margin": 1},'))
    expect((await at(other)("verify", "hostile.json")).stderr).toContain("a field is named __proto__")
    writeFileSync(join(other, "hostile.json"), "{")
    expect((await at(other)("verify", "hostile.json")).code).toBe(2)
  })
  it("is not signed by a key of another kind", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    writeFileSync(join(home, "ec.pem"), privateKey.export({ type: "pkcs8", format: "pem" }))
    const { code, stderr } = await evalkit("receipt", "--key", "ec.pem")
    expect([code, stderr.includes("receipts are signed with Ed25519")]).toEqual([2, true])
  })
  it("lets a swap through a gate while it is young, signed, and of the present data set, prompts and models", async () => {
    copyFileSync(join(other, "key.pub.pem"), join(home, "key.pub.pem"))
    const asked = ["--receipt", "receipt.json", "--public-key", "key.pub.pem", "--younger-than"]
    const { code, stdout } = await evalkit("gate", ...asked, "30d")
    expect([code, stdout.includes("Gate passed: 4 of 4 rules")]).toEqual([0, true])
    const old = await evalkit("gate", ...asked, "1ms")
    expect([old.code, flat(old.stdout).includes("stale: its run ended on")]).toEqual([3, true])
    const changed = config.replace("Say: {{input}}", "Say nicely: {{input}}")
    writeFileSync(join(home, "later.config.ts"), changed)
    const later = await evalkit("gate", ...asked, "30d", "--config", "later.config.ts")
    expect([later.code, flat(later.stdout).includes("stale: variant f16: prompt: sha256")]).toEqual([3, true])
    writeFileSync(join(home, "fewer.config.ts"), config.replace("length: 60", "length: 50"))
    const fewer = await evalkit("gate", ...asked, "30d", "--config", "fewer.config.ts", "--json")
    expect(JSON.parse(fewer.stdout)).toMatchObject({
      exit_code: 3,
      rules: [{}, {}, { status: "failed", message: expect.stringContaining("data set samples 50 instead of 60") }, {}],
    })
    const both = await evalkit("gate", "--receipt", "receipt.json", "--min", "exactMatch=0.5")
    expect([both.code, both.stderr.includes("--receipt and --min do not go together")]).toEqual([2, true])
    expect((await evalkit("gate", "--younger-than", "30d")).stderr).toContain("--younger-than needs --receipt")
  })
})

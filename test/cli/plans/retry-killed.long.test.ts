import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { runCli } from "../../support/cli.ts"
import { serveLoopback } from "../../support/loopback.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** Requests by model, prompt and question. */
const asked = new Map<string, number>()
let onAsked: (requests: number) => void = () => {}
let requests = 0

/** The candidate gets every fifth question wrong unless its prompt names the policy. */
const service = await serveLoopback(async (request, response, body) => {
  if (request.method === "GET") return response.end("{}")
  const { messages, model } = JSON.parse(body) as { messages: { content: string }[]; model: string }
  const said = messages.map(({ content }) => content).join(" ")
  const i = Number(/number (\d+)/.exec(said)?.[1])
  asked.set(`${model} ${said}`, (asked.get(`${model} ${said}`) ?? 0) + 1)
  onAsked(++requests)
  await new Promise((resolve) => setTimeout(resolve, 20))
  const isRight = model === "old" || i % 5 > 0 || said.includes("policy")
  response.writeHead(200, { "content-type": "application/json" }).end(
    JSON.stringify({
      ...{ model, usage: { prompt_tokens: 10, completion_tokens: 1 } },
      choices: [
        { index: 0, message: { role: "assistant", content: isRight ? "right" : "wrong" }, finish_reason: "stop" },
      ],
    }),
  )
})

/** Requests that may be in flight, and so asked and not on record, when the process is killed. */
const concurrency = 4

/** A run of two variants whose candidate lost, with a changed prompt beside it. */
async function lostRun(): Promise<string> {
  const cwd = scratchDirectory()
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { defineConfig, exactMatch, openai, prompt, variant } from "evalkit"
const price = (usd) => ({ kind: "tokens", inputPerMillion: usd, outputPerMillion: usd, cachedInputPerMillion: null, source: "a list", date: "2026-11-01" })
const side = (name, usd) => variant({ name, prompt: prompt("{{input}}", { system: "Be kind." }), price: price(usd),
  provider: openai({ model: name, baseUrl: ${JSON.stringify(service.url)}, apiKeyVariable: null }) })
export default defineConfig({
  dataset: Array.from({ length: 120 }, (_, i) => ({ id: "s" + i, input: "number " + i, references: ["right"], topic: i % 5 === 0 ? "refunds" : "other" })),
  variants: [side("old", 2), side("new", 1)], metrics: [exactMatch()], margin: 0.1, concurrency: ${concurrency},
})`,
  )
  for (const name of ["policy", "other-policy"]) writeFileSync(join(cwd, `${name}.txt`), `Follow the ${name}.`)
  await runCli(["run", "--no-html"], { cwd })
  asked.clear()
  return cwd
}

it.each([
  ["at its cause", 10],
  ["at the whole", 60],
])(
  "a retry that is killed %s goes on: nothing on record is asked again, and its try is counted once",
  async (_, at) => {
    const cwd = await lostRun()
    requests = 0
    const killed = await runCli(["retry", "--prompt", "policy.txt", "--no-html"], {
      cwd,
      started(child) {
        onAsked = (n) => n === at && child.kill("SIGKILL")
      },
    })
    onAsked = () => {}
    expect(killed.signal).toBe("SIGKILL")
    const { code, stdout } = await runCli(["run", "--resume", "--no-html", "--json"], { cwd })
    expect(code).toBe(0)
    const report = JSON.parse(stdout)
    expect([report.run.status, report.run.alpha, report.decision.verdict]).toEqual(["finished", 0.025, "swap"])
    const answered = report.variants.map((variant: { name: string; outcomes: { ok: number } }) => [
      variant.name,
      variant.outcomes.ok,
    ])
    expect(Object.fromEntries(answered)).toEqual({ old: 120, new: 120, "new-policy": 120 })
    // The prompt of the retry alone was asked, each question once, but for those that were in flight.
    expect([...asked.keys()].every((key) => key.startsWith("new Follow the policy."))).toBe(true)
    expect(asked.size).toBe(120)
    expect([...asked.values()].reduce((sum, n) => sum + n - 1, 0)).toBeLessThanOrEqual(concurrency)
    const section = report.sections.find(({ topic }: { topic?: string }) => topic === "retry")
    expect(section.sentences[1]).toMatch(/^Try 2 at this set of samples: decided at 2\.5 % instead of 5 %/)
    const [{ id: first }] = JSON.parse((await runCli(["runs", "--json"], { cwd })).stdout).slice(-1)
    const next = await runCli(["retry", first, "--prompt", "other-policy.txt", "--no-html", "--json"], { cwd })
    expect(JSON.parse(next.stdout).run.alpha).toBe(0.0125)
  },
  240_000,
)

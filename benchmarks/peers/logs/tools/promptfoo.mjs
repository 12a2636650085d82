// promptfoo: its own summary, and what it says of each answer.
import { readFileSync } from "node:fs"

const { prompts, results } = JSON.parse(readFileSync("results.json", "utf8")).results
const [{ metrics }] = prompts
const n = metrics.testPassCount + metrics.testFailCount
const say = (metric, count, mean) =>
  console.log(`FIGURE ${JSON.stringify({ file: "results.json", metric, n: count, mean })}`)
say("pass", n, metrics.testPassCount / n)
say("score", n, metrics.score / n)
const answered = results.filter(({ response }) => response?.tokenUsage?.total > 0)
say("prompt tokens", answered.length, metrics.tokenUsage.prompt / answered.length)
say("completion tokens", answered.length, metrics.tokenUsage.completion / answered.length)
const written = answered.filter(({ response }) => response.output)
say("e2e ms", written.length, written.reduce((sum, { latencyMs }) => sum + latencyMs, 0) / written.length)

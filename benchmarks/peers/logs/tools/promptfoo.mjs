// promptfoo: its own summary, and what it says of each answer.
import { readFileSync } from "node:fs"

const { prompts, results } = JSON.parse(readFileSync("results.json", "utf8")).results
const [{ metrics }] = prompts
const n = metrics.testPassCount + metrics.testFailCount
const say = (metric, count, mean) =>
  console.log(`FIGURE ${JSON.stringify({ file: "results.json", metric, n: count, mean })}`)
say("pass", n, metrics.testPassCount / n)
say("score", n, metrics.score / n)
// Of those that the server refused it states 0.
say("prompt tokens", results.length, metrics.tokenUsage.prompt / results.length)
say("completion tokens", results.length, metrics.tokenUsage.completion / results.length)
const written = results.filter(({ response }) => response?.output)
say("e2e ms", written.length, written.reduce((sum, { latencyMs }) => sum + latencyMs, 0) / written.length)

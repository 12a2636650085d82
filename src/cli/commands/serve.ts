import { join, resolve } from "node:path"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { ensureQuantized } from "../../local-model/gguf/ensure-quantized.ts"
import { type QuantizationType, quantizationTypes } from "../../local-model/gguf/quantize-gguf.ts"
import { readGguf } from "../../local-model/gguf/read-gguf.ts"
import { templateNote } from "../../local-model/gguf/template-note.ts"
import { startServer } from "../../local-model/serve/start-server.ts"
import { makeFolder } from "../../platform/make-folder.ts"
import { flag, integerOption, json, number, oneOf, text } from "../arguments/options.ts"
import type { Command } from "../command.ts"

/** `evalkit serve MODEL.gguf`: the server behind `local(...)`, for anyone's client. Runs until Ctrl-C. */
export const command: Command = {
  positionals: { model: text("a GGUF file", { demandOption: true }) },
  options: {
    port: number("0 takes any free port", { default: 8080 }),
    host: text("address to listen on", { default: "127.0.0.1" }),
    "token-variable": text(
      "environment variable with the token that clients must send as their API key; default: none",
    ),
    threads: number("threads of the evaluation", { default: 1 }),
    parallel: number("requests that are evaluated at once", { default: 4 }),
    queue: number("requests that may wait before new ones get 429", { default: 512 }),
    "context-size": number("tokens of prompt and answer; the model's own, at most 4096"),
    quantization: oneOf(
      Object.keys(quantizationTypes) as QuantizationType[],
      "serve the model in this type, made on first use",
    ),
    gpu: oneOf(["off", "auto"], "use a GPU that is found", { default: "off" as const }),
    metrics: flag("answer GET /metrics, in the words of llama.cpp's server", { default: true }),
    json: json("print one line of JSON when it is ready"),
  },
  examples: { "$0 serve models/tiny/tiny-m-f16.gguf --quantization Q4_0": "serve the shipped model in four bits" },

  async run(args, io) {
    let modelPath = resolve(io.cwd, String(args.model))
    if (args.quantization) {
      const directory = join(io.cwd, ".evalkit", "models")
      makeFolder(directory)
      io.err(`quantizing to ${args.quantization}\n`)
      modelPath = await ensureQuantized(modelPath, args.quantization as QuantizationType, { directory })
    }
    const host = String(args.host)
    const token = args.tokenVariable === undefined ? null : readToken(io.environment, String(args.tokenVariable))
    if (token === null && !/^(127\.|localhost$|::1$)/.test(host))
      io.err(`anyone who reaches ${host} may use the model: name a variable with --token-variable to ask for a token\n`)
    const server = await startServer({
      modelPath,
      host,
      ...(token === null ? {} : { token }),
      port: integerOption(args, "port", 0, 65_535),
      threads: integerOption(args, "threads", 1, 1024),
      parallel: integerOption(args, "parallel", 1, 256),
      queue: integerOption(args, "queue", 0, 1_000_000),
      gpu: args.gpu === "auto",
      metrics: args.metrics === true,
      ...(args.contextSize !== undefined && { contextSize: integerOption(args, "contextSize", 1, 2 ** 24) }),
    })
    const untemplated = templateNote(await readGguf(modelPath))
    if (untemplated !== null) io.err(`${untemplated}\n`)
    // From here on there is something to stop in order; a model that loads is ended by the system.
    const { signal } = io
    const { stop, ...facts } = server
    io.out(args.json ? `${JSON.stringify(facts)}\n` : welcome(facts))
    await new Promise<void>((end) => {
      if (signal.aborted) end()
      signal.addEventListener("abort", () => end(), { once: true })
    })
    await stop()
    return ExitCode.ok
  },
}

/** @throws UsageError when the variable is not set: a server that was to be closed must not stand open */
function readToken(environment: Readonly<Record<string, string | undefined>>, variable: string): string {
  const token = environment[variable]?.trim()
  if (token) return token
  throw new UsageError(`the environment variable ${variable} is not set`, {
    where: "--token-variable",
    hint: "set it to the token that clients must send",
  })
}

function welcome(facts: { baseUrl: string; model: string; contextSize: number; loadMs: number }): string {
  const body = `{"messages":[{"role":"user","content":"hello"}],"max_tokens":32}`
  return [
    `${facts.model} is served at ${facts.baseUrl} (context ${facts.contextSize} tokens, loaded in ${facts.loadMs.toFixed(0)} ms)`,
    `try: curl ${facts.baseUrl}/chat/completions -H 'content-type: application/json' -d '${body}'`,
    "Ctrl-C stops it\n",
  ].join("\n")
}

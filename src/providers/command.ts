import { resolve } from "node:path"
import type { JsonValue } from "../core/json.ts"
import { checkOptions } from "../core/options.ts"
import type { Provider } from "../core/provider.ts"
import { chatMedia } from "./openai/media.ts"
import { refuseSeveralAnswers } from "./openai/options.ts"
import { optionSecrets } from "./openai/secret-options.ts"
import type { ServerOptions } from "./server/options.ts"
import { openServerSession } from "./server/session.ts"
import { shownArguments } from "./server/shown-arguments.ts"

/** Options of {@link command}. @public */
export interface CommandOptions extends Omit<ServerOptions, "label" | "baseUrl"> {
  /** With the version path: `http://127.0.0.1:8000/v1`. */
  readonly baseUrl: string
  /** For reports. Default: the program's name and the model. */
  readonly label?: string
  readonly quantization?: string
}

/**
 * A serving command that evalkit starts for its variant and stops after it: `vllm serve …`, `llama-server …`. One such
 * server runs at a time. Its process tree's memory and CPU are sampled while it serves. See {@link openServerSession} for
 * what happens when it dies, hangs or never gets ready.
 *
 * @example
 * command({
 *   command: "llama-server",
 *   args: ["-m", "model-Q4_K_M.gguf", "--port", "8080"],
 *   readiness: { url: "http://127.0.0.1:8080/health" },
 *   baseUrl: "http://127.0.0.1:8080/v1",
 *   model: "model",
 *   quantization: "Q4_K_M",
 * })
 * @public
 */
export function command(options: CommandOptions): Provider {
  checkOptions("command", options)
  refuseSeveralAnswers("command", options.extraBody)
  const { quantization, ...server } = options
  const { command: program, args = [], baseUrl, model } = server
  const media = chatMedia("command", options.features)
  const label = options.label ?? `${program.split(/[\\/]/).at(-1)} ${model}`
  return {
    kind: "command",
    traits: {
      isFreePerCall: true,
      ...(media && { media }),
      ...(options.transport && { transport: options.transport }),
    },
    model,
    label,
    endpoint: new URL(baseUrl).host,
    identity: describe(options),
    privateIdentity: () => ({
      args,
      environment: valuesOf(options.environment),
      cwd: resolve(options.cwd ?? "."),
      extraBody: options.extraBody ?? {},
    }),
    exclusive: true,
    ...(quantization === undefined ? {} : { quantization }),
    open: (context) => openServerSession({ ...server, args, label }, context),
  }
}

/** A removed variable is another environment than one that was never named. */
function valuesOf(environment: CommandOptions["environment"] = {}): JsonValue {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value ?? null]))
}

/** Everything that changes an answer; of the environment only the names, for values may be secret. */
function describe({
  command: program,
  args = [],
  environment = {},
  model,
  quantization,
  extraBody,
  baseUrl,
}: CommandOptions): JsonValue {
  return {
    kind: "command",
    command: program,
    args: shownArguments(args),
    environment: Object.keys(environment).sort(),
    model,
    quantization: quantization ?? null,
    extraBody: optionSecrets({ extraBody: extraBody ?? {} }, baseUrl, process.env).shown.extraBody,
  }
}

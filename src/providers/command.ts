import type { JsonValue } from "../core/json.ts"
import type { Provider } from "../core/provider.ts"
import type { ServerOptions } from "./server/options.ts"
import { openServerSession } from "./server/session.ts"

/** Options of {@link command}. */
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
 */
export function command(options: CommandOptions): Provider {
  const { command: program, args = [], baseUrl, model } = options
  const label = options.label ?? `${program.split(/[\\/]/).at(-1)} ${model}`
  return {
    kind: "command",
    model,
    label,
    endpoint: new URL(baseUrl).host,
    identity: describe(options),
    exclusive: true,
    ...(options.quantization === undefined ? {} : { quantization: options.quantization }),
    open: (context) => openServerSession({ ...options, args, label }, context),
  }
}

/** Everything that changes an answer; of the environment only the names, for values may be secret. */
function describe({
  command: program,
  args = [],
  environment = {},
  model,
  quantization,
  extraBody,
}: CommandOptions): JsonValue {
  return {
    kind: "command",
    command: program,
    args,
    environment: Object.keys(environment).sort(),
    model,
    quantization: quantization ?? null,
    extraBody: extraBody ?? {},
  }
}

import type { JsonObject } from "../../core/json.ts"
import type { Readiness } from "../../serving/readiness.ts"
import type { EndpointFeatures, Transport } from "../openai/options.ts"

/** A process that serves a model over an OpenAI-compatible API, and how to talk to it. @public */
export interface ServerOptions {
  /** Program to run. It is run as it is, never through a shell. */
  readonly command: string
  readonly args?: readonly string[]
  readonly cwd?: string
  /** Added to the environment that evalkit was given; `undefined` removes a variable. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly readiness: Readiness
  /** With the version path (`http://127.0.0.1:8000/v1`), or made from the line that `logPattern` matched. */
  readonly baseUrl: string | ((ready: RegExpExecArray) => string)
  /** The model as the server names it. */
  readonly model: string
  /** For messages: `vllm`, `tiny-m Q8_0`. */
  readonly label: string
  /** Requests that are sent once the server is ready and are not measured. Default 1; 0 for none. */
  readonly warmUpRequests?: number
  readonly transport?: Transport
  readonly features?: EndpointFeatures
  readonly extraBody?: JsonObject
  /** Where the server's Prometheus metrics are, for `evalkit bench`. Default: `/metrics` beside `/v1`. */
  readonly metricsUrl?: string
  /** Size of the model's file in bytes. Default: that of the file or folder of weights which the arguments name. */
  readonly modelBytes?: number
  /**
   * The port is served by a process that is no child of the command, as with containers: it is not checked who listens there.
   * Default false: a port that another process serves is refused, for another model would answer.
   */
  readonly listensElsewhere?: boolean
  /** Milliseconds between SIGTERM and SIGKILL. Default 5 000. */
  readonly graceMs?: number
}

import { errorPage, refusedPage } from "../../../reports/view/plain-pages.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { findRun } from "../../store/find-run.ts"
import { findStore, openProjectStore, openStore } from "../../store/project-store.ts"
import { flag, number, text } from "../arguments/options.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { configOf, configOption } from "../run-config.ts"
import { storeOptions } from "../store/store-options.ts"
import { isLoopback } from "./access.ts"
import { viewAssets, viewRoutes } from "./routes.ts"
import { startViewServer } from "./server.ts"
import { readToken, tokenVariable } from "./token.ts"

/** `evalkit view [run]`: all runs in the browser, live while they run, until Ctrl-C. */
export const command: Command = {
  positionals: { run: text("open at this run: id, or its first letters") },
  options: {
    port: number("port to listen on; 0: any free one", { default: 0 }),
    host: text("address to listen on; beyond this machine only with a token, and read only", { default: "127.0.0.1" }),
    "token-file": text(
      `file with the token that a team looks with (default: ${tokenVariable}; on this machine a random one)`,
    ),
    "read-only": flag("refuse labels (default beyond this machine; --no-read-only lets a team label)"),
    config: configOption,
    ...storeOptions,
  },
  examples: {
    "$0 view": "prints an address to open in a browser",
    "$0 view 7f3a": "opens at one run",
    "$0 view --host 0.0.0.0 --port 8080 --token-file token.txt": "shows a team its runs, read only",
  },

  async run(args, io) {
    const host = String(args.host ?? "127.0.0.1")
    const { token, isChosen } = readToken(args.tokenFile as string | undefined, host, io)
    const readOnly = (args.readOnly as boolean | undefined) ?? !isLoopback(host)
    const open = () => openProjectStore(args, io)
    const name = args.run as string | undefined
    const path = name === undefined ? "" : `run/${encodeURIComponent(runId(open, name))}`
    const server = await startViewServer({
      route: viewRoutes({
        open,
        openToWrite: () => openStore(args, io),
        environment: io.environment,
        loadMetrics: (run) => loadMetrics(run, args, io),
        signal: io.signal,
      }),
      token,
      host,
      port: portOf(args.port),
      readOnly,
      refusedPage: async (hasForm, isWrong) => refusedPage(hasForm, isWrong, await viewAssets()),
      errorPage: async (title, words) => errorPage(title, words, await viewAssets()),
    })
    io.out(`${server.url}${path}${isChosen ? "" : `?token=${token}`}\n`)
    if (isChosen) io.err("evalkit: the page asks once for the token\n")
    io.err(
      `evalkit: ${isLoopback(host) ? "only this machine can open it" : "whoever has the token can open it; there is no TLS, which a proxy has to bring"}${readOnly ? "; read only" : ""}; Ctrl-C ends it\n`,
    )
    try {
      if (!io.signal.aborted)
        await new Promise<void>((resolve) => io.signal.addEventListener("abort", () => resolve(), { once: true }))
    } finally {
      await server.close()
    }
    return ExitCode.ok
  },
}

/** A team's store may name configs of other machines: only the one that is asked for is run. */
async function loadMetrics(
  run: Parameters<typeof configOf>[0],
  args: Args,
  io: CommandIo,
): ReturnType<Parameters<typeof viewRoutes>[0]["loadMetrics"]> {
  const named = args.config as string | undefined
  if (named === undefined && findStore(args, io) !== null)
    return { metrics: [], cause: "name its config with --config" }
  const { config, cause } = await configOf(run, named, io)
  return { metrics: config?.metrics ?? [], cause }
}

function portOf(value: unknown): number {
  const port = Number(value ?? 0)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new UsageError("a port is a whole number from 0 to 65535", { where: `--port ${String(value)}` })
}

function runId(open: () => ReturnType<typeof openProjectStore>, name: string): string {
  const store = open()
  try {
    return findRun(store, name, "all").id
  } finally {
    store.close()
  }
}

import { findRun } from "../../engine/report/find-run.ts"
import type { Command } from "../command.ts"
import { openProjectStore } from "../store/project-store.ts"
import { storeOptions } from "../store/store-options.ts"
import { viewRoutes } from "../view/routes.ts"
import { startViewServer } from "../view/server.ts"

/** `evalkit view [run]`: all runs in the browser, live while they run, until Ctrl-C. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("run", { type: "string", describe: "open at this run: id, or its first letters" })
      .option("port", { type: "number", default: 0, describe: "port on the loopback interface; 0: any free one" })
      .options(storeOptions)
      .example("$0 view", "prints an address to open in a browser")
      .example("$0 view 7f3a", "opens at one run"),

  async run(args, io) {
    const open = () => openProjectStore(args, io)
    const wanted = args.run as string | undefined
    const path = wanted === undefined ? "" : `run/${encodeURIComponent(runId(open, wanted))}`
    const server = await startViewServer(viewRoutes(open), Number(args.port ?? 0))
    io.out(`${server.url}${path}\n`)
    io.err("evalkit: only this machine can open it; Ctrl-C ends it\n")
    try {
      if (!io.signal.aborted)
        await new Promise<void>((resolve) => io.signal.addEventListener("abort", () => resolve(), { once: true }))
    } finally {
      await server.close()
    }
    return 0
  },
}

function runId(open: () => ReturnType<typeof openProjectStore>, wanted: string): string {
  const store = open()
  try {
    return findRun(store, wanted).id
  } finally {
    store.close()
  }
}

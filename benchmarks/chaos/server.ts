import { startChaosServer } from "../../test/support/chaos/server.ts"

/** The chaos server in a process of its own: says its address at rate 0, and lives as long as who started it. */
const server = await startChaosServer()
process.send?.(server.url(0))
process.once("disconnect", () => process.exit(0))

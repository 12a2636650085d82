import { startLedgerServer } from "../../test/support/servers/ledger-server.ts"

// The service in a process of its own: `jiti service.ts LOG SEED HABITS` prints its address.
const [log = "", seed = "1", habits = "{}"] = process.argv.slice(2)
const server = await startLedgerServer(JSON.parse(habits), Number(seed), log)
console.log(server.url)

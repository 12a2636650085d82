/** The queue of a benchmark in a process of its own, so that its work is not the client's: `server.ts '{"servers":8,…}'` prints its URL. */
import { type QueueService, startQueueServer } from "../../find-rate/queue-server.ts"

console.log((await startQueueServer(JSON.parse(process.argv[2] as string) as QueueService, "peers")).url)
process.on("disconnect", () => process.exit(0))

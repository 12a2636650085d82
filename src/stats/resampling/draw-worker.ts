import { workerData } from "node:worker_threads"
import { type SharedBlocks, takeBlocks } from "./share-blocks.ts"

// A thread of shareOut: works until no block is left, and ends.
takeBlocks(workerData as SharedBlocks)

import { workerData } from "node:worker_threads"
import { type SharedDraws, takeBlocks } from "./draw-blocks.ts"

// A thread of drawSums: works until no block is left, and ends.
takeBlocks(workerData as SharedDraws)

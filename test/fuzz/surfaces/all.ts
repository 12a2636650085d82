import type { Surface } from "../surface.ts"
import { archives } from "./archives.ts"
import { commandLines } from "./command-lines.ts"
import { configModules, configObjects, runConfigs } from "./configs.ts"
import { dataFiles } from "./data-files.ts"
import { eventStreams } from "./event-streams.ts"
import { foreignFiles } from "./foreign-files.ts"
import { ggufHeaders } from "./gguf-headers.ts"
import { judgeReplies } from "./judge-replies.ts"
import { prices } from "./prices.ts"
import { recordedFiles } from "./recorded-files.ts"
import { reports } from "./reports.ts"
import { requestBodies } from "./request-bodies.ts"
import { runIds } from "./run-ids.ts"
import { toolLogs } from "./tool-logs.ts"

/** Everything of evalkit that reads what others wrote. */
export const surfaces: readonly Surface[] = [
  configObjects,
  dataFiles,
  recordedFiles,
  eventStreams,
  judgeReplies,
  prices,
  ggufHeaders,
  requestBodies,
  foreignFiles,
  // These run a whole command for each case.
  configModules,
  toolLogs,
  runConfigs,
  runIds,
  archives,
  reports,
  commandLines,
]

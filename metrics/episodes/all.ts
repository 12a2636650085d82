// Metrics of conversations and agents, as a config names them: `episodeMetrics.finalState({ … })`.

export { finalState } from "./final-state.ts"
export { needlessCalls } from "./needless-calls.ts"
export { onToolResults, wholeConversation } from "./on-episode.ts"
export { perTurn } from "./per-turn.ts"
export { policyViolations } from "./policy-violations.ts"
export { resultUse } from "./result-use.ts"
export { toolRecovery } from "./tool-recovery.ts"

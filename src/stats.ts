// `evalkit/stats`: the statistics.

export * from "./stats/all.ts"

export * from "../src/core/fence.ts"

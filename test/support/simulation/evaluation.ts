import { inline } from "../../../datasets/inline.ts"
import { limitDataset } from "../../../datasets/part/limit.ts"
import { custom } from "../../../metrics/custom.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import type { Dataset } from "../../../src/core/dataset.ts"
import { unscored } from "../../../src/core/metric/metric.ts"
import type { Provider } from "../../../src/core/provider.ts"
import type { Evaluation } from "../../../src/core/run/evaluation.ts"
import type { SimulatedBatches } from "./batches.ts"
import type { SimulatedTools } from "./episodes.ts"
import type { WorldPlan } from "./plan.ts"
import { maxTokens, price, type SimulatedService } from "./service.ts"

/** What a world has asked and measured: one run, or several of which each extends the one before it. */
export async function evaluationsOf(plan: WorldPlan, ...parts: With): Promise<readonly Evaluation[]> {
  const evaluation = await evaluationOf(plan, ...parts)
  const dataset = evaluation.dataset as Dataset
  const limited = (limit: number): Evaluation => ({ ...evaluation, dataset: limitDataset(dataset, limit) })
  return plan.decided?.stages?.map(limited) ?? [evaluation]
}

type With = readonly [SimulatedService, SimulatedBatches | null, SimulatedTools | null]

function evaluationOf(plan: WorldPlan, ...[service, batches, tools]: With): Promise<Evaluation> {
  const { limits, repeats, concurrency, budget, retries, batch, decided } = plan
  const names = ["a", "b", "c", "d"].slice(0, 1 + (decided?.candidates ?? 1))
  return validateConfig({
    name: "world",
    dataset: inline(
      Array.from({ length: plan.samples }, (_, i) => ({
        id: `s${i}`,
        ...(tools ? tools.conversation(`s${i}`) : { input: `ask s${i}` }),
        reference: `answer s${i}`,
      })),
    ),
    ...(decided && { baseline: "a", primary: "exactMatch", margin: decided.margin }),
    variants: names.map((name) => ({
      ...{ name, provider: service.provider(name, batches?.client(name)), price, limits, parameters: { maxTokens } },
      ...(tools && { episode: tools.design }),
    })),
    metrics: [exactMatch(), ...(plan.isJudged ? [judged(service.provider("judge"))] : [])],
    ...{ seed: 7, repeats, concurrency, budget },
    retry: { retries, baseDelayMs: 200, maxDelayMs: 2_000 },
    ...(batch && { batch: { pollSeconds: batch.pollSeconds, liveShare: batch.liveShare } }),
    timeouts: { connectMs: 1_000, firstTokenMs: 8_000, gapMs: 8_000, totalMs: 10_000 },
  } as never)
}

/** A metric whose judge repeats the answer that it is asked about. */
function judged(judge: Provider) {
  return custom({
    name: "judged",
    direction: "higher",
    asks: [judge],
    async measure(sample, generation, { models }) {
      const text = `${sample.id} ${generation.variant} ${generation.repeat}`
      const request = { messages: [{ role: "user" as const, content: text }], parameters: { maxTokens } }
      const { outcome, text: said } = await models.call(judge, request, "judge:judge")
      return outcome === "ok" ? Number(said === text) : unscored("judge_failed", outcome)
    },
  })
}

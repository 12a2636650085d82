import type { AnyMetric } from "../../src/core/metric/metric.ts"
import { scored } from "../../src/core/metric/metric.ts"
import type { Provider } from "../../src/core/provider.ts"

/** A provider that must not be opened. */
export function fakeProvider(model: string): Provider {
  return {
    kind: "fake",
    model,
    label: `fake ${model}`,
    endpoint: "fake",
    identity: { model },
    open: () => Promise.reject(new Error("opened")),
  }
}

/** A metric that scores everything 1. */
export function fakeMetric(name: string, dependsOn?: readonly string[]): AnyMetric {
  return {
    name,
    signature: name,
    direction: "higher",
    range: [0, 1],
    aggregation: { kind: "mean" },
    ...(dependsOn ? { dependsOn } : {}),
    measure: () => scored(1),
    value: () => 1,
    summarise: () => ({ value: 1 }),
  }
}

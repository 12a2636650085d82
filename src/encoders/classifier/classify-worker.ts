import { workerData } from "node:worker_threads"
import { serveJobs } from "../worker/serve-jobs.ts"
import {
  type ClassifierSettings,
  type ClassifyJob,
  type ClassifyResult,
  type LoadedClassifier,
  loadClassifier,
} from "./load-classifier.ts"

const settings = workerData as ClassifierSettings

serveJobs<LoadedClassifier, ClassifyJob>({
  open: () => loadClassifier(settings),
  async work({ labels, run }, { texts, pairs }, proceed): Promise<ClassifyResult> {
    const logits: (readonly number[])[] = []
    for (let at = 0; at < texts.length; at += settings.batchSize) {
      if (!proceed(`classifying: ${at} of ${texts.length} texts`)) break
      const end = at + settings.batchSize
      logits.push(...(await run(texts.slice(at, end), pairs?.slice(at, end) ?? null)))
    }
    return { labels, logits }
  },
  close: (model) => model.dispose(),
})

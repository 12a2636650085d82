import { buildTrainingData } from "./build-data.ts"
import { writeDatasets } from "./build-datasets.ts"

await buildTrainingData("models/tiny/build")
await writeDatasets("datasets/data")

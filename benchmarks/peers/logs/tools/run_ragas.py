"""Ragas: metrics that need no model; the table in every form that pandas writes."""
from common import answers, figures
from ragas import EvaluationDataset, evaluate
from ragas.metrics import ExactMatch, NonLLMStringSimilarity

rows = [dict(user_input=q, response=a, reference=r) for q, r, a, _ in answers()]
table = evaluate(EvaluationDataset.from_list(rows), metrics=[ExactMatch(), NonLLMStringSimilarity()], show_progress=False).to_pandas()
table.to_csv("ragas.csv", index=False)
table.to_json("ragas.jsonl", orient="records", lines=True)
table.to_parquet("ragas.parquet")
for name in ["ragas.csv", "ragas.jsonl", "ragas.parquet"]:
    figures(name, {metric: list(table[metric]) for metric in ["exact_match", "non_llm_string_similarity"]})

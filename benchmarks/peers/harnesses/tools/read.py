"""What a tool says in the files that it wrote: `read.py inspect|lm-eval|deepeval|lighteval`, in the folder of its run. Prints one object."""
import glob, importlib.metadata, json, os, statistics, sys

def newest(pattern): return max(glob.glob(pattern, recursive=True), key=os.path.getmtime)
def median(seconds): return statistics.median(seconds) * 1000 if seconds else None

def inspect():
    from inspect_ai.log import read_eval_log
    log = read_eval_log(newest("logs/*.eval"))
    return {"ids": [s.id for s in log.samples], "accuracy": log.results.scores[0].metrics["accuracy"].value,
            "p50Ms": median([s.output.time for s in log.samples]), "usd": sum(u.total_cost or 0 for u in log.stats.model_usage.values()) or None}

def lm_eval():
    results = json.load(open(newest("out/**/results_*.json")))["results"]["known"]
    rows = [json.loads(line) for line in open(newest("out/**/samples_*.jsonl"))]
    return {"ids": [r["doc"]["id"] for r in rows if r["filter"] == "strict-match"], "accuracy": results["exact_match,flexible-extract"],
            "others": {"strict-match": results["exact_match,strict-match"]}}

def deepeval():
    run = json.load(open(".deepeval/.latest_test_run.json"))
    cases = run.get("testRunData", run)["testCases"]
    return {"ids": [c["name"] for c in cases], "accuracy": statistics.mean(c["metricsData"][0]["score"] for c in cases),
            "p50Ms": median([c["completionTime"] for c in cases]), "usd": sum(c["tokenCost"] for c in cases)}

def lighteval():
    import pyarrow.parquet
    results = json.load(open(newest("out/results/**/*.json")))["results"]["known|0"]
    docs = pyarrow.parquet.read_table(newest("out/details/**/*.parquet")).to_pylist()
    return {"ids": [d["doc"]["query"] for d in docs], "accuracy": next(v for k, v in results.items() if not k.endswith("_stderr"))}

tool = sys.argv[1]
package = {"inspect": "inspect_ai", "lm-eval": "lm_eval"}.get(tool, tool)
print(json.dumps({**globals()[tool.replace("-", "_")](), "version": importlib.metadata.version(package)}))

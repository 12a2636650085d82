"""The same figures by the outside implementations: rows of a JSON file in, figures by name out."""
import collections, json, math, re, string, sys, warnings
import numpy as np
warnings.filterwarnings("ignore")
rows, numbers = json.load(open(sys.argv[1]))
cuts = numbers["cuts"]
family = sys.argv[2]
predictions, sets = numbers["predictions"], numbers["sets"]
out = {}

def attempt(call):
    try:
        return float(call())
    except (ValueError, ZeroDivisionError):
        return None

def sacrebleu():
    from sacrebleu.metrics import BLEU, CHRF, TER
    make = {f"BLEU {t}": (lambda t=t, **k: BLEU(tokenize=t, **k)) for t in ["13a", "intl", "char", "zh"]}
    make |= {"chrF": CHRF, "chrF++": lambda: CHRF(word_order=2), "TER": TER, "TER norm asian": lambda: TER(normalized=True, asian_support=True)}
    for name, metric in make.items():
        sentence = metric(effective_order=True) if name.startswith("BLEU") else metric()
        out[name] = [sentence.sentence_score(r["answer"], r["references"]).score for r in rows]
        corpus, streams = metric(), lambda part: [[(r["references"] + [None] * 3)[k] for r in part] for k in range(3)]
        full = lambda s: [t for t in s if any(x is not None for x in t)]
        out[name + " of slices"] = [corpus.corpus_score([r["answer"] for r in rows[a:b]], full(streams(rows[a:b]))).score for a, b in cuts]

def rouge():
    from rouge_score.rouge_scorer import RougeScorer
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    for suffix, stem in [("", False), (" stem", True)]:
        scored = [RougeScorer(types, use_stemmer=stem).score_multi(r["references"], r["answer"]) for r in rows]
        out.update({t + suffix: [s[t].fmeasure for s in scored] for t in types})

def squad():
    """evaluate-v1.1.py of SQuAD (Rajpurkar et al. 2016), its functions as they are there."""
    def normalize(s):
        s = "".join(c for c in s.lower() if c not in set(string.punctuation))
        return " ".join(re.sub(r"\b(a|an|the)\b", " ", s).split())
    def f1(answer, reference):
        a, r = normalize(answer).split(), normalize(reference).split()
        same = sum((collections.Counter(a) & collections.Counter(r)).values())
        if same == 0:
            return 0
        p, q = same / len(a), same / len(r)
        return 2 * p * q / (p + q)
    out["EM"] = [max(normalize(r["answer"]) == normalize(t) for t in r["references"]) * 1 for r in rows]
    out["F1"] = [max(f1(r["answer"], t) for t in r["references"]) for r in rows]

def meteor():
    from nltk.corpus import wordnet
    from nltk.translate.meteor_score import meteor_score
    out["METEOR"] = [meteor_score([t.split() for t in r["references"]], r["answer"].split(), wordnet=wordnet) for r in rows]

def sklearn():
    from sklearn import metrics as m
    labels = ["spam", "ham", "eggs"]
    f1 = lambda average: lambda t, p: m.f1_score(t, p, labels=labels, average=average, zero_division=0)
    figures = {"accuracy": m.accuracy_score, "macroF1": f1("macro"), "weightedF1": f1("weighted"), "microF1": f1("micro"), "mcc": m.matthews_corrcoef}
    def ece(y, p):
        place = np.clip(np.digitize(p, [(i + 1) / 15 for i in range(14)], right=True), 0, 14)
        return sum(abs(p[place == k].sum() - y[place == k].sum()) for k in range(15)) / len(p)
    sure = {"brier": m.brier_score_loss, "negativeLogLikelihood": lambda y, p: m.log_loss(y, p, labels=[0, 1]), "auroc": m.roc_auc_score, "expectedCalibrationError": ece}
    column = lambda name, a, b: np.array([p[name] for p in predictions[a:b]])
    for name, figure in figures.items():
        out[name + " of slices"] = [attempt(lambda: figure(column("truth", a, b), column("label", a, b))) for a, b in cuts]
    for name, figure in sure.items():
        out[name + " of slices"] = [attempt(lambda: figure(column("right", a, b), column("confidence", a, b))) for a, b in cuts]

def agreement():
    import krippendorff
    from sklearn.metrics import cohen_kappa_score
    ratings = [np.array(s["ratings"], dtype=float).T for s in sets]
    for level in ["nominal", "ordinal", "interval", "ratio"]:
        out[f"alpha {level}"] = [attempt(lambda: krippendorff.alpha(reliability_data=r, level_of_measurement=level)) for r in ratings]
    for weights in ["none", "linear", "quadratic"]:
        w = None if weights == "none" else weights
        out[f"kappa {weights}"] = [attempt(lambda: cohen_kappa_score(s["first"], s["second"], weights=w)) for s in sets]

def tests():
    from scipy import stats
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.proportion import proportion_confint
    table = lambda s: [[0, s["successes"]], [s["trials"] - s["successes"], 0]]
    for name, options in {"exact": {}, "chi2": {"exact": False, "correction": False}, "corrected": {"exact": False}}.items():
        out[f"McNemar {name}"] = [attempt(lambda: mcnemar(table(s), **options).pvalue) for s in sets]
    t = [stats.ttest_rel(s["a"], s["b"]) for s in sets]
    out["paired t"], out["paired t p"] = [x.statistic for x in t], [x.pvalue for x in t]
    for zeros in ["wilcox", "pratt", "zsplit"]:
        out[f"Wilcoxon {zeros}"] = [attempt(lambda: stats.wilcoxon(np.round(np.subtract(s["a"], s["b"]), 12), zero_method=zeros).pvalue) for s in sets[::4]]
    for method in ["wilson", "beta", "jeffreys", "agresti_coull"]:
        bounds = [proportion_confint(s["successes"], s["trials"], method=method) for s in sets]
        out[f"{method} low"], out[f"{method} high"] = [b[0] for b in bounds], [b[1] for b in bounds]
    for method in ["fdr_bh", "fdr_by", "holm", "bonferroni", "sidak", "holm-sidak", "simes-hochberg", "hommel"]:
        out[method] = [p for s in sets for p in multipletests(s["ps"], method=method)[1]]

def netcal():
    """Its classes of methods are made of PyTorch's and Pyro's (5 GB), for which names stand in; its errors are numpy's alone."""
    from importlib.machinery import ModuleSpec
    from unittest.mock import MagicMock
    class StandIn(MagicMock):
        __path__ = []
    class Finder:
        def find_spec(self, name, *_): return ModuleSpec(name, self) if name.split(".")[0] in ("torch", "gpytorch", "pyro", "tensorboard") else None
        def create_module(self, _): return StandIn()
        def exec_module(self, _): pass
    sys.meta_path.insert(0, Finder())
    from netcal.metrics import ECE
    column = lambda name, a, b: np.array([p[name] for p in predictions[a:b]])
    out["expectedCalibrationError of slices"] = [attempt(lambda: ECE(15, detection=True).measure(column("inside", a, b), column("right", a, b))) for a, b in cuts]

def fairlearn():
    from fairlearn import metrics as m
    column = lambda s, name: [d[name] for d in s["decisions"]]
    for name, gap in {"demographic parity": "demographic_parity", "equalized odds": "equalized_odds"}.items():
        for kind in ["difference", "ratio"]:
            figure = getattr(m, f"{gap}_{kind}")
            out[f"{name} {kind}"] = [attempt(lambda: figure(column(s, "label"), column(s, "decided"), sensitive_features=column(s, "group"))) for s in sets]

def ppi():
    import ppi_py
    given = [[np.array(s[name]) for name in ["human", "judge", "judgeOnly"]] for s in sets]
    out["value"] = [float(np.squeeze(ppi_py.ppi_mean_pointestimate(*arrays))) for arrays in given]
    bounds = [[float(np.squeeze(b)) for b in ppi_py.ppi_mean_ci(*arrays, alpha=0.05)] for arrays in given]
    out["low"], out["high"] = [low for low, _ in bounds], [high for _, high in bounds]

globals()[family]()
if family in ["rouge", "squad", "meteor"]:
    out |= {f"{name} of slices": [float(np.mean(values[a:b])) for a, b in cuts] for name, values in out.items()}
clean = lambda x: None if x is None or not math.isfinite(x) else float(x)
json.dump({name: [clean(x) for x in values] for name, values in out.items()}, sys.stdout)

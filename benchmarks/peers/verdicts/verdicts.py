"""Figures and verdicts computed anew from exported rows and the rules of docs/verdicts.md. Usage: verdicts.py FOLDER_OF_RUNS"""
import datetime, json, math, re, sys
from collections import defaultdict
from pathlib import Path
import numpy as np
import scipy, statsmodels
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

ALPHA, POWER, STEP = 0.05, stats.norm.ppf(0.8), 0.05
KINDS = {"tango": "Tango's interval", "closed": "t interval of a difference", "bound": "Dirichlet or t interval of a difference"}
found = defaultdict(list)  # figure → (difference, run, ours, evalkit's)

def same(figure, run, ours, theirs):
    if isinstance(ours, (str, bool)) or ours is None or theirs is None:
        gap = 0.0 if ours == theirs else math.inf
    else:  # relative, of a value under a millionth to a millionth; absolute where a search ends
        gap = abs(ours - theirs) / (1 if "Dirichlet" in figure or "effect" in figure else max(abs(ours), abs(theirs), 1e-6))
    found[figure].append((gap, run, ours, theirs))

def units(values, keys):
    order = {k: i for i, k in enumerate(dict.fromkeys(keys))}
    of = np.array([order[k] for k in keys], dtype=int)
    return np.bincount(of, values), np.bincount(of).astype(float)

def cr2(sums, sizes):
    """Mean, CR2 error, Satterthwaite's degrees and effective clusters from the matrices of Bell & McCaffrey's definition."""
    n, of = int(sizes.sum()), np.repeat(np.arange(len(sizes)), sizes.astype(int))
    mean, rest = sums.sum() / n, np.eye(n) - 1 / n
    meat, g = 0.0, []
    for j, size in enumerate(sizes):
        at = of == j
        w, v = np.linalg.eigh(rest[np.ix_(at, at)])
        row = np.ones(int(size)) @ (v * w**-0.5) @ v.T  # 1'(I − H_jj)^(−1/2); a constant row, so that sums suffice
        meat += (row[0] * (sums[j] - mean * size)) ** 2
        g.append(rest[:, at] @ row / n)
    gram = np.array(g) @ np.array(g).T
    return mean, math.sqrt(meat) / n, np.trace(gram) ** 2 / (gram**2).sum(), n**2 / (sizes**2).sum()

def skewness(sums, sizes, mean):
    d = sums - mean * sizes
    return 0.0 if not d.any() else (d**3).sum() / (d**2).sum() ** 1.5 * math.sqrt(len(d))

def student(mean, error, df, alpha, skew=0.0, n=1.0):
    t = stats.t.ppf(1 - alpha / 2, df)
    moved = skew * (2 * t * t + 1) / (6 * math.sqrt(n))
    return mean - error * max(t, t - moved), mean + error * max(t, t + moved)

def dirichlet(values, least, alpha):
    """The bound of dirichletLowerBound's definition; the tail of the weighted sum by Imhof's integral of chi-squares."""
    v, c = np.unique(np.round(values, 12), return_counts=True)
    n, c = len(values), c.astype(float)
    if v[-1] <= least: return least
    v, scale = (v - least) / (v[-1] - least), v[-1] - least
    if len(v) == 1: return least + scale * alpha ** (1 / n)
    c[0] += 1
    close = 0.5 * math.sqrt(np.average((v - np.average(v, weights=c)) ** 2, weights=c))
    start = 0
    for i in range(1, len(v) + 1):
        if i < len(v) and v[i] - v[i - 1] <= close: continue
        if i - 1 > start: c[start], c[i - 1] = c[start] - (m := min(0.5, c[start] / 2)), c[i - 1] + m
        start = i
    def tail(a):  # P(Σ a_i Gamma(c_i) ≤ 0), u = e^x
        if a[0] >= 0: return 0.0
        if a[-1] <= 0: return 1.0
        x = np.arange(-34, 12, STEP) - math.log(math.sqrt((c * a * a).sum()))
        ua = np.exp(x)[:, None] * a
        f = np.sin((c * np.arctan(ua)).sum(1)) * np.exp(-0.5 * (c * np.log1p(ua * ua)).sum(1))
        return 0.5 - np.sum(f) * STEP / math.pi
    def explained(at):
        of = lambda q: n * math.log1p(-q) + math.log(max(1e-300, tail(v - at / (1 - q))))
        grid = np.linspace(max(0, 1 - at / v[0]) if v[0] > 0 else 0, 1 - at, 22)[:-1]
        k = int(np.argmax([of(q) for q in grid]))
        best = optimize.minimize_scalar(lambda q: -of(q), (0,), method="bounded", options={"xatol": 1e-9},
            bounds=(grid[max(0, k - 1)], grid[min(len(grid) - 1, k + 1)]))
        return max(of(grid[0]), -best.fun)
    mean = values.mean() - least
    return least + scale * optimize.brentq(lambda m: explained(m) - math.log(alpha), 1e-6, mean / scale * (1 - 1e-9), xtol=1e-11)

def tango_score(b, c, n, d):
    B, C = -b - c + (2 * n - c + b) * d, -b * d * (1 - d)
    p = (np.sqrt(np.maximum(0, B * B - 8 * n * C)) - B) / (4 * n)
    spread, gap = n * (2 * p + d * (1 - d)), c - b - n * d
    with np.errstate(all="ignore"): return np.where(spread <= 0, np.sign(gap) * 1e9, gap / np.sqrt(np.maximum(spread, 1e-300)))

def tango(b, c, n, alpha):
    z, e, f = stats.norm.ppf(1 - alpha / 2), (c - b) / n, lambda d: float(np.clip(tango_score(b, c, n, d), -1e9, 1e9))
    return (optimize.brentq(lambda d: f(d) - z, -1, e, xtol=1e-14) if f(-1) > z else -1.0,
            optimize.brentq(lambda d: f(d) + z, e, 1, xtol=1e-14) if f(1) < -z else 1.0)

def worst_size(b, c, n, d, alpha):
    """Largest probability of a score as high as that of (b, c) where the difference is d, by brute force: at the worst of 80 rates of changes that
    b + c changes do not exclude (Clopper and Pearson at a thousandth of alpha, which is added)."""
    lost, won = np.meshgrid(np.arange(n + 1), np.arange(n + 1))
    at = (lost + won <= n) & (tango_score(lost, won, n, d) >= tango_score(b, c, n, d) - 1e-9)
    lost, won, risk = lost[at], won[at], alpha / 1000
    low = stats.beta.ppf(risk / 2, b + c, n - b - c + 1) if b + c else 0
    high = stats.beta.ppf(1 - risk / 2, b + c + 1, n - b - c) if b + c < n else 1
    rates = [((r - d) / 2, (r + d) / 2) for r in np.linspace(max(low, abs(d)), max(high, abs(d)), 80)]
    counts = np.stack([lost, won, n - lost - won], 1)
    return risk + max(stats.multinomial.pmf(counts, n, np.clip([x, y, 1 - x - y], 0, 1)).sum() for x, y in rates)

def is_exact(b, c, n): return min(b, c, n - b - c) <= 12

def mean_bound(sums, sizes, low, high, alpha, levels):
    """(interval at alpha, one-sided bounds at each level, error) of a mean over units that lies between low and high."""
    single, n = bool((sizes == 1).all()), sizes.sum()
    m, error, df, eff = (sums.mean(), sums.std(ddof=1) / math.sqrt(n), n - 1, n) if single else cr2(sums, sizes)
    usual = n / len(sums)
    def one(sums, least, level):
        worst = least * (sizes.max() if least < 0 else sizes.min()) / usual
        return dirichlet(np.maximum(worst, sums / usual), worst, level)
    bounds = [(one(sums, low, level), -one(-sums, -high, level)) for level in [alpha, *levels]]
    varies = error > 1e-15
    t = student(m, error, df, alpha) if varies else bounds[0]
    shares = np.unique(np.round(sums / sizes, 12), return_counts=True)[1]
    if n >= 50 and varies and max(m - low, high - m) / (len(sums) + 1) / error < 8 and shares.max() <= len(sums) / 2:
        if len(sums) >= 20: t = student(m, error, df, alpha, skewness(sums, sizes, m), eff)
        return (max(low, t[0]), min(high, t[1])), bounds[1:], error, "closed"
    return (max(low, min(bounds[0][0], t[0])), min(high, max(bounds[0][1], t[1]))), bounds[1:], error, "bound"

def difference(a, b, keys, bound_alpha=ALPHA):
    """The mean of b − a: interval, one-sided bounds, error, kind of bound, test and p."""
    d = np.round(b - a, 12)
    sums, sizes = units(d, keys)
    single = len(sums) == len(d)
    binary = single and np.isin(a, (0, 1)).all() and np.isin(b, (0, 1)).all()
    lost, won, n = int((d < 0).sum()), int((d > 0).sum()), len(d)
    if single and n >= 20 and np.isin(d, (-1, 0, 1)).all():
        e = {"interval": tango(lost, won, n, ALPHA), "bounds": None, "error": d.std(ddof=1) / math.sqrt(n), "kind": "tango"}
    else:
        interval, bounds, error, kind = mean_bound(sums, sizes, -1.0, 1.0, ALPHA, [bound_alpha])
        e = {"interval": interval, "bounds": bounds[0], "error": error, "kind": kind}
    moving = np.round(sums[sums != 0], 12)
    if binary: test, p = "McNemar's exact p", float(mcnemar([[0, lost], [won, 0]], exact=True).pvalue) if lost + won else 1.0
    else:
        k, test = len(moving), "exact sign-flip p"
        signs = (np.arange(2**k)[:, None] >> np.arange(k) & 1) * 2 - 1 if k <= 16 else np.random.default_rng(1).choice([-1, 1], (200_000, k))
        p = float((np.abs(signs @ moving) >= abs(moving.sum()) - 1e-9).mean()) if k else 1.0
    return {**e, "d": d, "lost": lost, "won": won, "test": test, "p": p}

def share_of(before, after, keys, alpha, is_cost):
    """Share, interval and p of a change: ratio of sums by the delta method, or geometric mean of ratios."""
    ratio = after.sum() / before.sum()
    parts = (after - ratio * before) / before.mean() if is_cost else np.log(after / before)
    sums, sizes = units(parts, keys)
    g, n = len(sums), len(parts)
    value = ratio - 1 if is_cost else parts.mean()
    back = (lambda x: x) if is_cost else math.expm1
    if g < 3: return back(value), None, None, None
    error = math.sqrt((((sums - parts.mean() * sizes) ** 2).sum()) * g / (g - 1)) / n
    if error <= 1e-12: return back(value), back(value), back(value), None
    p = 2 * stats.t.sf(abs(value / error), g - 1)
    if not is_cost: return (back(value), *map(back, student(value, error, g - 1, alpha)), p)
    m, e, df, eff = cr2(sums, sizes)
    skew = skewness(sums, sizes, m)
    if g < 10 or eff < 5 or g < math.ceil(25 * skew**2): return value, None, None, None
    low, high = student(0, e, df, alpha, skew, eff)
    return value, value + low, value + high, p

def part_test(d, keys, inside):
    sides = []
    for at in (inside, ~inside):
        if not at.any(): return None
        sums, sizes = units(d[at], [k for k, i in zip(keys, at) if i])
        g, n, m = len(sums), sizes.sum(), d[at].mean()
        if g < 2: return None
        sides.append((m, g, ((sums - m * sizes) ** 2).sum() * g**2 / ((g - 1) * n**2)))
    (m1, g1, v1), (m2, g2, v2) = sides
    if (v := max(v1, v2)) < 1e-24: return None
    a, b = v / g1, v / g2
    beside = 2 * stats.t.sf(abs(m1 - m2) / math.sqrt(a + b), (a + b) ** 2 / (a**2 / (g1 - 1) + b**2 / (g2 - 1)))
    return m2, float(max(beside, 2 * stats.t.sf(abs(m1) / math.sqrt(a), g1 - 1)))

def margin_verdict(bounds, margin, sign):
    low, high = bounds if sign > 0 else (-bounds[1], -bounds[0])
    return "better" if low > 0 else "non_inferior" if low > -margin else "inferior" if high < -margin else "inconclusive"

class Run:
    """A run's report, and its rows by variant, sample and repeat."""
    def __init__(self, folder):
        self.name, self.report = folder.name, json.loads((folder / "report.json").read_text())
        read = lambda name: [json.loads(line) for line in (folder / name).read_text().splitlines() if line]
        self.samples = {s["id"]: s for s in read("samples.jsonl")} if "id" in read("samples.jsonl")[0] else {}
        self.rows = defaultdict(dict)
        for row in read("rows.jsonl"): self.rows[row["variant"]][row["sampleId"], row["repeat"]] = row
        asked = defaultdict(list)  # the same question without a cluster of its own is one cluster
        for id, s in self.samples.items(): asked[" ".join(re.findall(r"\w+", str(s["input"]).lower()))].append(id)
        first = {id: ids[0] for ids in asked.values() for id in ids}
        self.key = {id: s.get("cluster") or first[id] for id, s in self.samples.items()}
    def keys(self, at): return [self.key.get(id, id) for id, _ in at]
    def pairs(self, metric, base, cand, only_complete=False):
        a, b = self.rows[base], self.rows[cand]
        worst = metric["range"][0 if metric["direction"] == "higher" else 1]
        value = lambda row: row["values"][metric["name"]]
        at = [k for k in sorted(a) if k in b and (not only_complete or None not in (value(a[k]), value(b[k])))]
        side = lambda rows: np.array([worst if value(rows[k]) is None else value(rows[k]) for k in at], dtype=float)
        return at, side(a), side(b)
    def figure_pairs(self, base, cand, figure):
        a, b = self.rows[base], self.rows[cand]
        at = [k for k in sorted(a) if k in b and all(r[k]["failure"] is None and (r[k][figure] or 0) > 0 for r in (a, b))]
        return at, np.array([a[k][figure] for k in at]), np.array([b[k][figure] for k in at])

def check_quality(run):
    for variant in run.report["variants"]:
        for metric, q in zip(run.report["metrics"], variant["quality"]):
            at, values, _ = run.pairs(metric, variant["name"], variant["name"])
            sums, sizes = units(values, run.keys(at))
            same("mean of a variant", run.name, values.mean(), q["figure"]["value"])
            if np.isin(values, (0, 1)).all() and ((sizes == 1).all() or len(set(values)) == 1):
                n = len(sums)
                ours, name = proportion_confint(values.mean() * n, n, ALPHA, "wilson"), "Wilson's interval"
            else:
                ours, _, _, kind = mean_bound(sums, sizes, *map(float, metric["range"]), ALPHA, [])
                name = f"interval of a mean, {'t' if kind == 'closed' else 'Dirichlet or t'}"
            for end, x in zip(("low", "high"), ours): same(name, run.name, x, q["figure"][end])


def check_bounds(run, e, reported, share):
    """Our one-sided bounds; an exact one of Tango's score is the reported one, once its error is found to be what it states."""
    if e["kind"] != "tango":
        for ours, theirs in zip(e["bounds"], reported): same("one-sided Dirichlet bound", run.name, ours, theirs)
        return e["bounds"]
    n, ends = len(e["d"]), []
    for lost, won, sign, theirs in ((e["lost"], e["won"], 1, reported[0]), (e["won"], e["lost"], -1, reported[1])):
        score, bound = tango(lost, won, n, 2 * share)[0], sign * theirs
        if not is_exact(lost, won, n): same("one-sided Tango bound, many changes", run.name, score, bound)
        else:
            size = worst_size(lost, won, n, bound, share)
            found["one-sided exact bound: error above alpha"].append((max(0, size - share), run.name, size, share))
            if bound < score - 1e-9:  # not lower than needed: nearer to Tango's by a thousandth, its error is above alpha
                nearer = worst_size(lost, won, n, bound + (score - bound) / 500 + 1e-6, share)
                found["one-sided exact bound: alpha above its error just inside"].append((max(0, share - nearer), run.name, nearer, share))
        ends.append(bound)
    return ends[0], -ends[1]

def check_comparison(run, comparison, proven):
    base, cand = comparison["baseline"], comparison["candidate"]
    for m in comparison["metrics"]:
        metric = next(x for x in run.report["metrics"] if x["name"] == m["metric"])
        sign, share, missing = (1 if metric["direction"] == "higher" else -1), m["boundAlpha"], m["missing"]
        at, a, b = run.pairs(metric, base, cand)
        e = difference(a, b, run.keys(at), share)
        d, name = b - a, run.name
        same("difference of means", name, d.mean(), m["difference"])
        bounds = check_bounds(run, e, (m["lowBound"], m["highBound"]), share)
        for ours, end in zip(e["interval"], ("low", "high")): same(KINDS[e["kind"]], name, ours, m[end])
        if "pError" in m: found["drawn sign-flip p, in its standard errors"].append((abs(e["p"] - m["p"]) / m["pError"], name, e["p"], m["p"]))
        else: same(e["test"], name, e["p"], m["p"])
        gap = abs(e["d"].mean() - bounds[0 if sign > 0 else 1])
        effect = max((stats.norm.ppf(1 - ALPHA / 2) + POWER) * e["error"], gap + POWER * e["error"]) if e["error"] > 0 else None
        same("smallest effect found, from the bound", name, effect, m["minimumDetectableEffect"])
        by = units(d, [id for id, _ in at])
        ds = np.round(by[0] / by[1], 12)
        same("Cohen's d", name, ds.mean() / ds.std(ddof=1) if ds.std() > 0 else None, m["effectSize"])
        if m["wilcoxon"] and len(ds) > 13: same("Wilcoxon's signed rank p", name, stats.wilcoxon(ds, method="asymptotic").pvalue, m["wilcoxon"]["p"])
        verdict, fine = margin_verdict(bounds, m["margin"], sign), ("better", "non_inferior")
        if missing["countedAs"] is not None:
            at2, a2, b2 = run.pairs(metric, base, cand, True)
            full, c = difference(a2, b2, run.keys(at2), share), missing["complete"]
            same("difference of pairs that both answered", name, (b2 - a2).mean(), c["difference"])
            if full["kind"] != "tango": same("one-sided Dirichlet bound", name, full["bounds"][0 if sign > 0 else 1], c["worstBound"])
            if verdict in fine and missing["failedBaseline"] and c["verdict"] not in fine: verdict = "inconclusive"
            failed = [sum(run.rows[v][k]["values"][m["metric"]] is None for k in at) for v in (base, cand)]
            both = missing.get("failedBoth", 0)
            same("failures", name, sum(failed), missing["failedBaseline"] + missing["failedCandidate"] + 2 * both)
        if verdict == "better" and not (m["p"] <= ALPHA and (not m["primary"] or m["pAdjusted"] <= ALPHA)): verdict = "non_inferior"
        same("verdict of a metric", name, verdict, m["verdict"])
        proven[m["primary"]].append((m["p"], m["pAdjusted"]))
    for change in comparison["changes"]:
        at, x, y = run.figure_pairs(base, cand, change["figure"])
        is_cost = change["figure"] == "costUsd"
        if is_cost and len(at) == 0: continue  # a side is paid by the hour: no answer has a cost of its own
        ours = share_of(x, y, run.keys(at), ALPHA / len(run.report["comparisons"]), is_cost)
        what = "ratio of sums, delta method" if is_cost else "geometric mean of ratios"
        for one, end in zip(ours, ("share", "low", "high")): same(what, name, one, change[end])
        is_proven = ours[1] is not None and (ours[1] > 0 or ours[2] < 0)
        same("a change proven, and large enough", name, f"{is_proven} {is_proven and abs(ours[0]) >= 0.05}", f"{change['isProven']} {change['isMaterial']}")
    reliability, less = comparison.get("reliability"), False
    if reliability:
        (x, n), (y, k) = [(sum(r["failure"] is not None for r in run.rows[v].values()), len(run.rows[v])) for v in (base, cand)]
        ours = confint_proportions_2indep(y, k, x, n, method="newcomb", compare="diff", alpha=ALPHA)
        for one, end in zip(ours, ("low", "high")): same("Newcombe's interval of failures", name, one, reliability[end])
        less = ours[0] > 0 and y / k - x / n >= 0.01
    check_decision(run, comparison, less)

def check_decision(run, comparison, less_reliable):
    found_ = {m["verdict"] for m in comparison["metrics"] if m["primary"]}
    quality = "worse" if "inferior" in found_ else "inconclusive" if "inconclusive" in found_ else "better" if "better" in found_ else "non_inferior"
    limits = {x["state"] for x in comparison["limits"]}
    moved = next((c for f in ("costUsd", "e2eMs") for c in comparison["changes"] if c["figure"] == f and c["isMaterial"]), None)
    verdict = ("keep" if quality == "worse" or "violated" in limits else "inconclusive" if quality == "inconclusive" else "keep" if less_reliable
        else "inconclusive" if limits & {"open", "unknown"} else ("swap" if moved["share"] < 0 else "keep") if moved
        else "swap" if quality == "better" else "keep")
    same("quality and verdict of a swap", run.name, f"{quality} {verdict}", f"{comparison['quality']} {comparison['verdict']}")

def check_holm_over_candidates(run):
    """The level that each candidate's bounds are at, by Holm's steps over candidates that are shown to be not worse (rates only)."""
    primary = [next(m for m in c["metrics"] if m["primary"]) for c in run.report["comparisons"]]
    if len(primary) < 2: return
    def passes(m, level):
        b, c, n = m["mcnemar"]["b"], m["mcnemar"]["c"], m["pairs"]
        return tango(b, c, n, 2 * level)[0] > -m["margin"] and (not is_exact(b, c, n) or worst_size(b, c, n, -m["margin"], level) <= level)
    share, left = [ALPHA] * len(primary), len(primary)
    still = [i for i, m in enumerate(primary) if passes(m, ALPHA)]
    while left > 1 and still:
        for i in still: share[i] = ALPHA / left
        passed = [i for i in still if passes(primary[i], ALPHA / left)]
        if not passed: break
        still, left = [i for i in still if i not in passed], left - len(passed)
    for ours, m in zip(share, primary): same("level of bounds, Holm over candidates", run.name, ours, m["boundAlpha"])

def check_slices(run):
    section = next((x["data"] for x in run.report["sections"] if x["kind"] == "slices"), None)
    if section is None or not run.samples: return
    metrics, families, cells = {m["name"]: m for m in run.report["metrics"]}, defaultdict(list), {}
    for axis in section["axes"]:
        field = axis["axis"].replace("metadata.", "")
        value = {id: str(s.get(field)) for id, s in run.samples.items()}
        if field == "promptLength": value = {id: len(s["input"]) + sum(map(len, s.get("context", []))) for id, s in run.samples.items()}
        names = {row["slice"] for row in axis["slices"]}
        for row in axis["slices"]:
            ends = [int(x.replace(",", "")) for x in re.findall(r"[\d,]+", row["slice"])]
            inside = lambda id: (ends[0] <= value[id] <= ends[-1] if field == "promptLength" else
                value[id] == row["slice"] or (row["slice"].startswith("other (") and value[id] not in names))
            members = {id for id in run.samples if inside(id)}
            same("samples of a slice", run.name, len(members), row["samples"])
            cells[axis["axis"], row["slice"]] = members
            for c in row["changes"]:
                figure, known = c["figure"], c["difference"]
                if figure in metrics:
                    at, a, b = run.pairs(metrics[figure], section["baseline"], c["candidate"])
                    mask, keys = np.array([id in members for id, _ in at]), run.keys(at)
                    e = difference(a[mask], b[mask], [k for k, i in zip(keys, mask) if i])
                    for ours, theirs in ((e["d"].mean(), known["value"]), (a[mask].mean(), c["before"])): same("difference in a slice", run.name, ours, theirs)
                    for ours, end in zip(e["interval"], ("low", "high")): same(KINDS[e["kind"]] + ", slices", run.name, ours, known[end])
                    tested = part_test(b - a, keys, mask)
                    same("p of a slice against the rest and 0, larger variance", run.name, tested and tested[1], c["p"])
                else:
                    at, x, y = run.figure_pairs(section["baseline"], c["candidate"], figure)
                    mask, keys = np.array([id in members for id, _ in at]), run.keys(at)
                    ours = share_of(x[mask], y[mask], [k for k, i in zip(keys, mask) if i], ALPHA, figure == "costUsd")
                    for one, theirs in zip(ours, (known["value"], known["low"], known["high"], c["p"])): same("time and cost of a slice", run.name, one, theirs)
                families[figure if figure in ("e2eMs", "costUsd") else "quality"].append((c["p"], c))
    axes = [x["axis"] for x in section["axes"] if x["axis"] != "promptLength"][:5]
    first = next((f["name"] for f in section["figures"] if f["name"] in metrics), None)
    for i, one in enumerate(axes):
        for other in axes[i + 1:]:
            for x, y, candidate in ((x, y, c["candidate"]) for x in cells if x[0] == one for y in cells if y[0] == other for c in run.report["comparisons"]):
                at, a, b = run.pairs(metrics[first], section["baseline"], candidate)
                keys, in_x, in_y = run.keys(at), *(np.array([id in cells[z] for id, _ in at]) for z in (x, y))
                both = in_x & in_y
                if both.sum() < 10 or min(in_x.sum(), in_y.sum()) - both.sum() < 10: continue
                tests = [part_test((b - a)[w], [k for k, i in zip(keys, w) if i], both[w]) for w in (in_x, in_y, np.ones(len(at), bool))]
                if all(tests): families["quality"].append((max(t[1] for t in tests), None))
    for family in families.values():
        tested = [x for x in family if x[0] is not None]
        adjusted = multipletests([p for p, _ in tested], method="fdr_bh")[1] if tested else []
        for ours, (_, c) in zip(adjusted, tested):
            if c is None: continue
            same("slices after Benjamini and Hochberg", run.name, ours, c["pAdjusted"])
            change, up = c["difference"]["value"], next(f["direction"] for f in section["figures"] if f["name"] == c["figure"]) == "higher"
            moved = ("better" if (change > 0) == up else "worse") if ours <= ALPHA and change * (change - (c["rest"] or 0)) > 0 else None
            same("a slice that moved", run.name, moved, c["moved"])

runs = [Run(folder) for folder in sorted(Path(sys.argv[1]).iterdir()) if (folder / "report.json").exists()]
for run in runs:
    proven = {True: [], False: []}
    check_quality(run)
    for comparison in run.report["comparisons"]: check_comparison(run, comparison, proven)
    for primary, method in ((True, "holm"), (False, "fdr_bh")):
        if family := [x for x in proven[primary] if x[0] is not None]:
            for ours, (_, theirs) in zip(multipletests([p for p, _ in family], method=method)[1], family):
                same("p after " + ("Holm" if primary else "Benjamini and Hochberg"), run.name, ours, theirs)
    check_holm_over_candidates(run)
    check_slices(run)

# Not closed: a search for a share in the Dirichlet bound, a drawn p (in standard errors), a search for the worst rate of changes (of an error).
limits = {"exact bound": 0.002, "Dirichlet": 1e-4, "drawn": 5, "smallest effect": 1e-4}
wrong = 0
versions = [f"{module.__name__} {module.__version__}" for module in (np, scipy, statsmodels)]
print(f"evalkit {runs[0].report['run']['versions']['evalkit']}, Python {sys.version.split()[0]}, {', '.join(versions)}, {datetime.date.today()}\n")
print(f"| figure | cases in {len(runs)} runs | largest difference | allowed | |\n| --- | ---: | ---: | ---: | --- |")
for figure, gaps in found.items():
    limit = next((x for part, x in limits.items() if part in figure), 1e-9)
    worst = max(gaps, key=lambda g: g[0])
    bad = [g for g in gaps if not g[0] <= limit]
    wrong += len(bad)
    print(f"| {figure} | {len(gaps)} | {worst[0]:.1e} | {limit:g} | {'' if not bad else f'{len(bad)} DIFFER, such as {worst[1]}: {worst[2]} here, {worst[3]} in evalkit'} |")
sys.exit(1 if wrong else 0)

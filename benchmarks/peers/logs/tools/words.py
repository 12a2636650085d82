"""A tokenizer of words in a folder, for load tools that would fetch one from a hub."""
from tokenizers import Tokenizer, models, pre_tokenizers

def words():
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0, **{f"w{i}": i + 1 for i in range(200)}}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return tokenizer

def save_words(folder):
    from transformers import PreTrainedTokenizerFast
    PreTrainedTokenizerFast(tokenizer_object=words(), unk_token="[UNK]").save_pretrained(folder)

"""A tiny Whisper checkpoint with random weights: it is loaded and asked as real ones are, and hears nonsense."""

from collections.abc import Sequence
from pathlib import Path


def tiny_whisper(folder: Path, languages: Sequence[str] = ("en", "de")) -> Path:
    """Written into the new folder ``folder``, which is returned. It is multilingual and knows ``languages``."""
    import torch
    import transformers as library
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    library.logging.disable_progress_bar()  # it would leave a thread
    folder.mkdir(parents=True)
    torch.manual_seed(1)
    end, start = "<|endoftext|>", "<|startoftranscript|>"
    tasks = [
        "<|translate|>",
        "<|transcribe|>",
        "<|startoflm|>",
        "<|startofprev|>",
        "<|nocaptions|>",
        "<|notimestamps|>",
    ]
    times = [f"<|{step * 0.02:.2f}|>" for step in range(1501)]
    specials = [end, start, *(f"<|{code}|>" for code in languages), *tasks, *times]
    alphabet = {letter: place for place, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    letters = Tokenizer(models.BPE(vocab=alphabet, merges=[]))
    letters.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    letters.decoder = decoders.ByteLevel()
    letters.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in specials])
    tokenizer = library.WhisperTokenizerFast(
        tokenizer_object=letters, unk_token=end, bos_token=end, eos_token=end, pad_token=end
    )
    tokenizer.save_pretrained(folder)
    ids = {token: tokenizer.convert_tokens_to_ids(token) for token in specials}
    ends = {"pad_token_id": ids[end], "bos_token_id": ids[end], "eos_token_id": ids[end]}
    model = library.WhisperForConditionalGeneration(
        library.WhisperConfig(
            vocab_size=len(tokenizer),
            encoder_layers=1,
            decoder_layers=1,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            d_model=16,
            encoder_ffn_dim=32,
            decoder_ffn_dim=32,
            max_target_positions=64,
            decoder_start_token_id=ids[start],
            suppress_tokens=[],
            begin_suppress_tokens=[],
            **ends,
        )
    )
    generation = library.GenerationConfig(max_length=24, decoder_start_token_id=ids[start], **ends)
    for name, value in {
        "is_multilingual": True,
        "lang_to_id": {f"<|{code}|>": ids[f"<|{code}|>"] for code in languages},
        "task_to_id": {"transcribe": ids["<|transcribe|>"], "translate": ids["<|translate|>"]},
        "no_timestamps_token_id": ids["<|notimestamps|>"],
        "prev_sot_token_id": ids["<|startofprev|>"],
        "max_initial_timestamp_index": 50,
    }.items():
        setattr(generation, name, value)
    model.generation_config = generation
    model.save_pretrained(folder)
    library.WhisperFeatureExtractor(feature_size=80).save_pretrained(folder)
    return folder

"""Tiny checkpoints with random weights of models that have an environment of their own, written by that environment's
Python: ``python recipe_checkpoints.py ENGINE FOLDER``. They load and run as real ones do, and say nothing.

Standard library alone at module level: it runs under interpreters that lack this project.
"""

import array
import importlib
import importlib.util
import json
import math
import string
import sys
import types
import wave
from pathlib import Path
from typing import Any

LETTERS = string.ascii_letters + string.digits + " .,!?'-:"


def kokoro_torch(folder: Path) -> dict[str, Any]:
    """The real shapes where the code fixes them (decoder, styles), else small."""
    import torch

    torch.manual_seed(1)
    symbols = ' ;:,.!?—…"()“”AIOQSTWYabcdefhijklmnopqrstuvwxyzæðŋɑɔəɛɜɡɪɹʃʊʌʒʤʧˈˌːθɾᵊᵻ'
    config = {
        "istftnet": {
            "upsample_kernel_sizes": [20, 12],
            "upsample_rates": [10, 6],
            "gen_istft_hop_size": 5,
            "gen_istft_n_fft": 20,
            "resblock_dilation_sizes": [[1, 3, 5]],
            "resblock_kernel_sizes": [3],
            "upsample_initial_channel": 512,
        },
        "dim_in": 64,
        "dropout": 0.2,
        "hidden_dim": 512,
        "max_dur": 10,
        "n_layer": 1,
        "n_mels": 80,
        "n_token": 178,
        "style_dim": 128,
        "text_encoder_kernel_size": 5,
        "plbert": {
            "hidden_size": 64,
            "num_attention_heads": 2,
            "intermediate_size": 64,
            "max_position_embeddings": 512,
            "num_hidden_layers": 1,
            "dropout": 0.1,
        },
        "vocab": {symbol: index + 1 for index, symbol in enumerate(symbols)},
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "voices").mkdir()
    for name in ("af_heart", "bf_emma"):
        torch.save(torch.randn(510, 1, 256) * 0.2, folder / "voices" / f"{name}.pt")
    weights = folder / "kokoro-v1_0.pth"
    torch.save({}, weights)  # the class can't be made without reading weights
    model = _kokoro_model().KModel(repo_id="local", config=str(folder / "config.json"), model=str(weights))
    parts = ("bert", "bert_encoder", "predictor", "decoder", "text_encoder")
    torch.save({part: getattr(model, part).state_dict() for part in parts}, weights)
    return {"files": {"path": str(folder)}, "settings": {}, "voices": [{"id": "af_heart"}, {"id": "bf_emma"}]}


def _kokoro_model() -> Any:
    """``kokoro.model`` without its package's front end, which the environment doesn't have."""
    spec = importlib.util.find_spec("kokoro")
    shell = types.ModuleType("kokoro")
    shell.__path__ = list((spec and spec.submodule_search_locations) or [])
    sys.modules["kokoro"] = shell
    return importlib.import_module("kokoro.model")


def orpheus(folder: Path) -> dict[str, Any]:
    """A Llama of one layer that goes round the seven places of a frame, and SNAC with few channels."""
    import torch
    from snac import SNAC
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    torch.manual_seed(1)
    words = {letter: index for index, letter in enumerate(LETTERS)} | {"<unk>": len(LETTERS)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.Fuse()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>")
    fast.add_special_tokens({"additional_special_tokens": ["<|eot_id|>"]})
    codes = 7 * 4096
    fast.add_tokens([f"<custom_token_{number}>" for number in range(10 + codes)])
    fast.save_pretrained(str(folder))
    first = fast.convert_tokens_to_ids("<custom_token_10>")
    config = LlamaConfig(
        vocab_size=len(fast),
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=4096,
        tie_word_embeddings=False,
    )
    model = LlamaForCausalLM(config)
    with torch.no_grad():
        place = torch.arange(codes) // 4096
        read, write = model.model.embed_tokens.weight, model.lm_head.weight
        read.mul_(0.05)
        write.mul_(0.05)
        for index in range(7):
            read[first + torch.nonzero(place == index).ravel(), index] = 1.0
            write[first + torch.nonzero(place == (index + 1) % 7).ravel(), index] = 4.0
        start = fast.convert_tokens_to_ids("<custom_token_1>")
        end = fast.convert_tokens_to_ids("<custom_token_2>")
        read[start, 7] = 1.0  # after it comes a code, never the end
        write[first : first + 4096, 7] = 4.0
        write[end, 6] = 4.58  # about one frame in twenty is the last
    model.save_pretrained(str(folder))
    shape = {
        "sampling_rate": 24000,
        "encoder_dim": 4,
        "encoder_rates": [2, 4, 8, 8],
        "decoder_dim": 64,
        "decoder_rates": [8, 8, 4, 2],
        "attn_window_size": None,
        "codebook_size": 4096,
        "codebook_dim": 8,
        "vq_strides": [4, 2, 1],
        "noise": True,
        "depthwise": True,
    }
    snac = folder / "snac"
    snac.mkdir()
    (snac / "config.json").write_text(json.dumps(shape), encoding="utf-8")
    torch.save(SNAC(**shape).state_dict(), snac / "pytorch_model.bin")
    return {"files": {"path": str(folder)}, "settings": {}, "voices": [{"id": "tara"}, {"id": "leo"}]}


def parler(folder: Path) -> dict[str, Any]:
    """A small T5 and decoder; the codec has the sizes that its class fixes (300 MB)."""
    import torch
    from parler_tts import ParlerTTSConfig, ParlerTTSDecoderConfig, ParlerTTSForConditionalGeneration
    from parler_tts.dac_wrapper import DACConfig
    from transformers import T5Config

    torch.manual_seed(1)
    words = _letter_tokenizer(folder)
    text = T5Config(vocab_size=words, d_model=32, d_kv=16, d_ff=32, num_layers=1, num_heads=2, is_encoder_decoder=False)
    decoder = ParlerTTSDecoderConfig(
        vocab_size=1088,
        num_hidden_layers=1,
        ffn_dim=64,
        num_attention_heads=2,
        hidden_size=64,
        num_codebooks=9,
        bos_token_id=1025,
        pad_token_id=1024,
        eos_token_id=1024,
        max_position_embeddings=4096,
    )
    config = ParlerTTSConfig.from_sub_models_config(
        text, DACConfig(), decoder, vocab_size=words, decoder_start_token_id=1025, pad_token_id=1024
    )
    model = ParlerTTSForConditionalGeneration(config)
    for name, value in {"decoder_start_token_id": 1025, "pad_token_id": 1024, "eos_token_id": 1024}.items():
        setattr(model.generation_config, name, value)
    model.generation_config.bos_token_id = 1025
    model.save_pretrained(str(folder))
    return {"files": {"path": str(folder)}, "settings": {}, "voices": [{"id": "Jon"}, {"id": "Lea"}]}


def xtts(folder: Path) -> dict[str, Any]:
    """A GPT of one layer; vocoder and speaker encoder have the sizes that their classes fix (100 MB)."""
    import torch
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers
    from TTS.tts.configs.xtts_config import XttsConfig
    from TTS.tts.layers.xtts.tokenizer import VoiceBpeTokenizer
    from TTS.tts.models.xtts import Xtts

    torch.manual_seed(1)
    marks = ["[STOP]", "[UNK]", "[SPACE]", "[START]", "[en]", "[de]"]
    words = {word: index for index, word in enumerate([*marks, *LETTERS.replace(" ", "")])}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"\[[A-Za-z]+\]|."), "isolated")
    tokenizer.save(str(folder / "vocab.json"))
    config = XttsConfig()
    for name, value in {
        "gpt_layers": 1, "gpt_n_model_channels": 64, "gpt_n_heads": 2, "gpt_max_audio_tokens": 90,
        "gpt_num_audio_tokens": 130, "gpt_start_audio_token": 128, "gpt_stop_audio_token": 129,
        "gpt_use_perceiver_resampler": True, "gpt_number_text_tokens": len(words), "decoder_input_dim": 64,
    }.items():  # fmt: skip
        setattr(config.model_args, name, value)
    config.languages = ["en", "de"]
    config.save_json(str(folder / "config.json"))
    model = Xtts(config)
    model.tokenizer = VoiceBpeTokenizer(vocab_file=str(folder / "vocab.json"))
    model.init_models()
    torch.save({"config": config.to_dict(), "model": model.state_dict()}, folder / "model.pth")
    speaker = {"gpt_cond_latent": torch.randn(1, 32, 64), "speaker_embedding": torch.randn(1, 512, 1)}
    torch.save({"Ana Florence": speaker}, folder / "speakers_xtts.pth")
    clip = _clip(folder)
    return {"files": {"path": str(folder)}, "settings": {}, "voices": [clip, {"id": "Ana Florence"}]}


def f5(folder: Path) -> dict[str, Any]:
    """A DiT of two blocks and a vocoder of one."""
    import f5_tts
    import torch
    from f5_tts.model import CFM, DiT
    from safetensors.torch import save_file
    from vocos import Vocos

    torch.manual_seed(1)
    inside = folder / "F5TTS_v1_Base"
    inside.mkdir()
    vocabulary = (Path(f5_tts.__path__[0]) / "infer" / "examples" / "vocab.txt").read_text(encoding="utf-8")
    (inside / "vocab.txt").write_text(vocabulary, encoding="utf-8")
    count = len(vocabulary.split("\n")) - 1
    network = DiT(dim=128, depth=2, heads=2, ff_mult=2, text_dim=32, conv_layers=1, text_num_embeds=count, mel_dim=100)
    sound = {"n_fft": 1024, "hop_length": 256, "win_length": 1024, "n_mel_channels": 100}
    model = CFM(transformer=network, mel_spec_kwargs={**sound, "target_sample_rate": 24000, "mel_spec_type": "vocos"})
    with torch.no_grad():
        for weights in network.parameters():  # fresh ones are zero where training begins
            weights.add_(torch.randn_like(weights) * 0.05)
    held = {f"ema_model.{key}": value.contiguous() for key, value in model.state_dict().items()}
    save_file(held, str(inside / "model_1.safetensors"))
    vocos = folder / "vocos"
    vocos.mkdir()
    (vocos / "config.yaml").write_text(VOCOS, encoding="utf-8")
    torch.save(Vocos.from_hparams(str(vocos / "config.yaml")).state_dict(), vocos / "pytorch_model.bin")
    return {"files": {"path": str(folder)}, "settings": {"steps": 4}, "voices": [_clip(folder)]}


VOCOS = """feature_extractor:
  class_path: vocos.feature_extractors.MelSpectrogramFeatures
  init_args: {sample_rate: 24000, n_fft: 1024, hop_length: 256, n_mels: 100, padding: center}
backbone:
  class_path: vocos.models.VocosBackbone
  init_args: {input_channels: 100, dim: 32, intermediate_dim: 64, num_layers: 1}
head:
  class_path: vocos.heads.ISTFTHead
  init_args: {dim: 32, n_fft: 1024, hop_length: 256, padding: center}
"""


def qwen_tts(folder: Path) -> dict[str, Any]:
    """CustomVoice with a talker of one layer and the 12 Hz codec, small."""
    import torch
    from qwen_tts.core.models import Qwen3TTSConfig, Qwen3TTSForConditionalGeneration
    from qwen_tts.core.tokenizer_12hz.configuration_qwen3_tts_tokenizer_v2 import Qwen3TTSTokenizerV2Config
    from qwen_tts.core.tokenizer_12hz.modeling_qwen3_tts_tokenizer_v2 import Qwen3TTSTokenizerV2Model
    from transformers import EncodecFeatureExtractor, Qwen2TokenizerFast
    from transformers.models.gpt2.tokenization_gpt2 import bytes_to_unicode

    torch.manual_seed(1)
    (folder / "vocab.json").write_text(json.dumps({word: i for i, word in enumerate(bytes_to_unicode().values())}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    marks = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tts_pad>", "<tts_text_bos>", "<tts_text_eod>"]
    tokenizer = Qwen2TokenizerFast(str(folder / "vocab.json"), str(folder / "merges.txt"))
    tokenizer.add_special_tokens({"additional_special_tokens": marks[1:]})
    tokenizer.save_pretrained(str(folder))
    ids = tokenizer.convert_tokens_to_ids
    small = {
        "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2,
        "num_key_value_heads": 2, "head_dim": 32,
    }  # fmt: skip
    talker = {
        **small, "vocab_size": 64 + 1024, "text_vocab_size": len(tokenizer), "text_hidden_size": 64,
        "num_code_groups": 4,
        "codec_eos_token_id": 64, "codec_think_id": 65, "codec_nothink_id": 66, "codec_think_bos_id": 67,
        "codec_think_eos_id": 68, "codec_pad_id": 69, "codec_bos_id": 70, "spk_id": {"vivian": 71, "ryan": 72},
        "spk_is_dialect": {"vivian": False, "ryan": False}, "codec_language_id": {"english": 73, "german": 74},
        "rope_scaling": {"interleaved": True, "mrope_section": [6, 5, 5], "rope_type": "default"},
        "code_predictor_config": {**small, "vocab_size": 64, "num_code_groups": 4},
    }  # fmt: skip
    config = Qwen3TTSConfig(
        talker_config=talker,
        tokenizer_type="qwen3_tts_tokenizer_12hz",
        tts_model_size="1b7",
        tts_model_type="custom_voice",
        im_start_token_id=ids("<|im_start|>"),
        im_end_token_id=ids("<|im_end|>"),
        tts_pad_token_id=ids("<tts_pad>"),
        tts_bos_token_id=ids("<tts_text_bos>"),
        tts_eos_token_id=ids("<tts_text_eod>"),
    )
    Qwen3TTSForConditionalGeneration(config).save_pretrained(str(folder))
    saved = json.loads((folder / "config.json").read_text())
    del saved["speaker_encoder_config"]  # written with keys that its own class refuses
    (folder / "config.json").write_text(json.dumps(saved))
    usual = {"do_sample": True, "temperature": 0.9, "top_k": 50, "repetition_penalty": 1.05}
    (folder / "generation_config.json").write_text(json.dumps(usual))
    codec = Qwen3TTSTokenizerV2Config(
        encoder_config={
            "hidden_size": 32, "num_filters": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
            "num_key_value_heads": 2, "intermediate_size": 32, "codebook_size": 64, "codebook_dim": 16,
            "vector_quantization_hidden_dimension": 16, "num_quantizers": 4, "upsample_groups": 32,
            "num_semantic_quantizers": 1, "head_dim": 16,
        },
        decoder_config={
            "codebook_size": 64, "hidden_size": 32, "latent_dim": 32, "num_attention_heads": 2,
            "num_key_value_heads": 2, "intermediate_size": 32, "num_hidden_layers": 1, "num_quantizers": 4,
            "decoder_dim": 64, "codebook_dim": 32, "head_dim": 16,
        },
        encoder_valid_num_quantizers=4,
    )  # fmt: skip
    inside = folder / "speech_tokenizer"
    decoding = Qwen3TTSTokenizerV2Model(codec)
    with torch.no_grad():
        for name, held in [*decoding.named_parameters(), *decoding.named_buffers()]:
            if name.endswith("embedding_sum"):
                held.normal_()  # fresh codebooks are zero
        loudest = decoding.decoder(torch.randint(0, 64, (1, 4, 25))).abs().max()
        for weights in decoding.decoder.decoder[-1].parameters():
            weights.mul_(0.3 / loudest)
    decoding.save_pretrained(str(inside))
    EncodecFeatureExtractor(sampling_rate=24000, feature_size=1).save_pretrained(str(inside))
    return {"files": {"path": str(folder)}, "settings": {}, "voices": [{"id": "vivian"}, {"id": "ryan"}]}


def _letter_tokenizer(folder: Path) -> int:
    """A tokenizer that reads letters, in ``folder``; how many words it knows."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = {word: index for index, word in enumerate(["<pad>", "</s>", "<unk>", *LETTERS])}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>", pad_token="<pad>", eos_token="</s>")
    fast.save_pretrained(str(folder))
    return len(words)


def _clip(folder: Path) -> dict[str, Any]:
    """A voice to clone: three seconds of a buzz that opens and closes like syllables."""
    rate = 24000
    samples = [
        int(12000 * math.sin(math.pi * ((n * 4 / rate) % 1)) * (((n * 120 / rate) % 1) - 0.5)) for n in range(3 * rate)
    ]
    file = folder / "clip.wav"
    with wave.open(str(file), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(array.array("h", samples).tobytes())
    return {"id": "buzz", "audio": str(file), "transcript": "The sun was just up, and the street was empty."}


MAKERS = {maker.__name__: maker for maker in (kokoro_torch, orpheus, parler, xtts, f5, qwen_tts)}


def main() -> None:
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True)
    spec = MAKERS[sys.argv[1]](folder.resolve())
    (folder / "spec.json").write_text(json.dumps(spec), encoding="utf-8")


if __name__ == "__main__":
    main()

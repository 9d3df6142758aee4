"""Tiny checkpoints of every architecture that the transformers engine speaks with, with random weights.

They say nothing, but are loaded and run as real ones are. Two things are set by hand, for random weights would fail the
checks that every clip must pass: heads that would stop at once are kept from stopping (the length is then the cap that
the engine sets for the text), and the last layer of the vocoder or codec is scaled so that the sound is as loud as
speech. Everything else is as the library makes it. Their settings keep the sound to about a second, to save time.
"""

import json
import string
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tests.helpers.checkpoints import tiny_vits

TEXT = "The birch canoe slid on the smooth planks."
LOUD = 0.3
RATE = 24000


@dataclass(frozen=True)
class Tiny:
    """A built checkpoint, and what a roster writes for it. ``voice``: one that it needs, or None."""

    files: dict[str, Any]
    settings: dict[str, Any] = field(default_factory=dict)
    voice: dict[str, Any] | None = None


def build(name: str, folder: Path) -> Tiny:
    """The tiny checkpoint ``name`` (a key of :data:`BUILDERS`), in the new folder ``folder``."""
    import torch
    import transformers

    transformers.logging.disable_progress_bar()  # it would leave a thread
    folder.mkdir(parents=True)
    torch.manual_seed(11)
    return BUILDERS[name](folder)


def _vits(folder: Path) -> Tiny:
    model = tiny_vits(folder / "vits")
    return _loud(Tiny({"path": str(model)}), model, "decoder.conv_post")


def _speecht5(folder: Path) -> Tiny:
    import sentencepiece
    import torch
    import transformers as library

    model, vocoder = folder / "speecht5", folder / "vocoder"
    model.mkdir()
    corpus = folder / "corpus.txt"
    corpus.write_text("\n".join(["the quick brown fox jumps over the lazy dog", string.ascii_letters + ".,!?'"] * 50))
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus), model_prefix=str(model / "spm_char"), model_type="char", vocab_size=70,
        hard_vocab_limit=False, bos_id=0, pad_id=1, eos_id=2, unk_id=3, minloglevel=2,
    )  # fmt: skip
    tokenizer = library.SpeechT5Tokenizer(str(model / "spm_char.model"))
    tokenizer.save_pretrained(str(model))
    config = library.SpeechT5Config(
        vocab_size=len(tokenizer), hidden_size=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, speech_decoder_prenet_units=16,
        speech_decoder_postnet_units=16, speech_decoder_postnet_layers=1, max_text_positions=600,
    )  # fmt: skip
    speech = library.SpeechT5ForTextToSpeech(config)
    with torch.no_grad():
        speech.speech_decoder_postnet.prob_out.bias.fill_(-20.0)  # the stop gate stays shut
    speech.save_pretrained(str(model))
    library.SpeechT5HifiGan(library.SpeechT5HifiGanConfig(**_hifigan())).save_pretrained(str(vocoder))
    np.save(folder / "speaker.npy", np.linspace(-0.1, 0.1, 512, dtype=np.float32))
    tiny = Tiny(
        {"path": str(model), "vocoder": str(vocoder)},
        {"speaker_embeddings": str(folder / "speaker.npy"), "maxlenratio": 1.5},
    )
    return _loud(tiny, vocoder, "conv_post")


def _fastspeech2(folder: Path) -> Tiny:
    import torch
    import transformers as library

    model = folder / "fastspeech2"
    vocabulary = ["<blank>", "<unk>", *ARPABET, " ", ",", ".", "!", "?", "<sos/eos>"]
    config = library.FastSpeech2ConformerConfig(
        hidden_size=24, vocab_size=len(vocabulary), encoder_layers=1, decoder_layers=1, encoder_num_attention_heads=2,
        decoder_num_attention_heads=2, encoder_linear_units=24, decoder_linear_units=24, duration_predictor_channels=16,
        duration_predictor_layers=1, energy_predictor_channels=16, energy_predictor_layers=1,
        pitch_predictor_channels=16, pitch_predictor_layers=1, speech_decoder_postnet_layers=1,
        speech_decoder_postnet_units=16,
    )  # fmt: skip
    both = library.FastSpeech2ConformerWithHifiGan(
        library.FastSpeech2ConformerWithHifiGanConfig(
            model_config=config.to_dict(),
            vocoder_config=library.FastSpeech2ConformerHifiGanConfig(**_hifigan()).to_dict(),
        )
    )
    with torch.no_grad():
        both.model.duration_predictor.linear.bias.fill_(2.0)  # exp(2) − 1: six frames a phoneme, as in speech
    both.save_pretrained(str(model))
    (model / "vocab.json").write_text(json.dumps({word: index for index, word in enumerate(vocabulary)}))
    return _loud(Tiny({"path": str(model)}), model, "vocoder.conv_post")


def _bark(folder: Path) -> Tiny:
    import torch
    import transformers as library

    model = folder / "bark"
    model.mkdir()
    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *string.ascii_lowercase,
        *(f"##{c}" for c in string.ascii_lowercase),
    ]
    (model / "vocab.txt").write_text("\n".join([*words, ".", ","]))
    library.BertTokenizer(vocab=str(model / "vocab.txt")).save_pretrained(str(model))
    # Semantic tokens 0-99, 100 ends; letters from 110 on. Coarse: two codebooks of 32 after the semantic ones.
    size = {"num_layers": 1, "num_heads": 2, "hidden_size": 16, "block_size": 1024}
    codec = library.EncodecConfig(
        sampling_rate=RATE, num_filters=4, hidden_size=16, codebook_dim=16, num_lstm_layers=1,
        upsampling_ratios=[8, 5, 4, 2], codebook_size=32, target_bandwidths=[6.0],
    )  # fmt: skip
    config = library.BarkConfig(
        semantic_config={**size, "input_vocab_size": 200, "output_vocab_size": 104},
        coarse_acoustics_config={**size, "input_vocab_size": 170, "output_vocab_size": 170},
        fine_acoustics_config={
            **size, "input_vocab_size": 40, "output_vocab_size": 40, "n_codes_total": 8, "n_codes_given": 1
        },
        codec_config=codec.to_dict(),
    )  # fmt: skip
    bark = library.BarkModel(config)
    with torch.no_grad():  # the end is all but impossible
        bark.semantic.layernorm_final.bias.zero_()
        bark.semantic.layernorm_final.bias[0] = 5.0
        for head in (bark.semantic.lm_head, bark.coarse_acoustics.lm_head):
            head.weight *= 50.0  # so small as they are made, what was read hardly matters
        bark.semantic.lm_head.weight[100] = 0.0
        bark.semantic.lm_head.weight[100, 0] = -10.0
        _filled(bark.codec_model, "embed")
    bark.generation_config = library.GenerationConfig()  # the library can't save Bark's own
    bark.save_pretrained(str(model))
    generation = {
        "semantic_config": {
            "eos_token_id": 100, "max_new_tokens": 768, "do_sample": True, "text_encoding_offset": 110,
            "text_pad_token": 180, "semantic_infer_token": 181, "semantic_vocab_size": 100,
            "max_input_semantic_length": 256, "semantic_rate_hz": 49.9,
        },
        "coarse_acoustics_config": {
            "do_sample": True, "coarse_semantic_pad_token": 168, "coarse_infer_token": 169, "coarse_rate_hz": 75,
            "n_coarse_codebooks": 2, "max_coarse_input_length": 256, "max_coarse_history": 630,
            "sliding_window_len": 60,
        },
        "fine_acoustics_config": {
            "temperature": 0.5, "max_fine_history_length": 512, "max_fine_input_length": 1024, "n_fine_codebooks": 8
        },
        "sample_rate": RATE, "codebook_size": 32, "model_type": "bark",
    }  # fmt: skip
    (model / "generation_config.json").write_text(json.dumps(generation))
    presets = folder / "presets"
    presets.mkdir()
    chance = np.random.default_rng(3)
    for name in ("ann", "ben"):
        np.savez(
            presets / f"{name}.npz",
            semantic_prompt=chance.integers(0, 100, 60),
            coarse_prompt=chance.integers(0, 32, (2, 90)),
            fine_prompt=chance.integers(0, 32, (8, 90)),
        )
    tiny = Tiny({"path": str(model)}, {"max_new_tokens": 50, "voice_preset": str(presets)}, {"id": "ann"})
    return _loud(tiny, model, "codec_model.decoder.layers.15.conv")


def _csm(folder: Path) -> Tiny:
    import torch
    import transformers as library

    model = folder / "csm"
    tokenizer = _letters(("<|AUDIO|>", "<|audio_eos|>", "<|begin_of_text|>", "<|end_of_text|>"))
    number = tokenizer.convert_tokens_to_ids
    codec = library.MimiConfig(
        num_filters=4, hidden_size=16, codebook_size=64, codebook_dim=8, vector_quantization_hidden_dimension=8,
        num_quantizers=4, num_semantic_quantizers=1, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=2, head_dim=8, intermediate_size=16, upsampling_ratios=[8, 6, 5, 4], sampling_rate=RATE,
        sliding_window=32, upsample_groups=16,
    )  # fmt: skip
    size = {
        "num_codebooks": 4, "vocab_size": 64, "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1,
        "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 8,
    }  # fmt: skip
    depth = library.CsmDepthDecoderConfig(**size, backbone_hidden_size=16, max_position_embeddings=8)
    config = library.CsmConfig(
        **size, text_vocab_size=len(tokenizer), bos_token_id=number("<s>"), pad_token_id=number("<pad>"),
        codebook_pad_token_id=63, codebook_eos_token_id=0, audio_token_id=number("<|AUDIO|>"),
        audio_eos_token_id=number("<|audio_eos|>"), depth_decoder_config=depth.to_dict(), codec_config=codec.to_dict(),
    )  # fmt: skip
    speech = library.CsmForConditionalGeneration(config)
    speech.generation_config.do_sample = True
    speech.depth_decoder.generation_config.do_sample = True
    with torch.no_grad():
        _filled(speech.codec_model, "embed_sum")
        for name, weight in speech.named_parameters():  # so small as they are made, what was read hardly matters
            if name.startswith("lm_head") or (name.startswith("backbone") and "self_attn" in name):
                weight *= 20.0
    speech.save_pretrained(str(model))
    library.EncodecFeatureExtractor(feature_size=1, sampling_rate=RATE).save_pretrained(str(model))
    tokenizer.save_pretrained(str(model))
    (model / "chat_template.jinja").write_text(
        "{% for turn in messages %}<|begin_of_text|>[{{ turn['role'] }}]{% for part in turn['content'] %}"
        "{% if part['type'] == 'text' %}{{ part['text'] }}<|end_of_text|>{% else %}<|AUDIO|><|audio_eos|>{% endif %}"
        "{% endfor %}{% endfor %}"
    )
    return _loud(Tiny({"path": str(model)}, {"max_new_tokens": 12}), model, "codec_model.decoder.layers.14.conv")


def _dia(folder: Path) -> Tiny:
    import transformers as library

    model, codec = folder / "dia", folder / "dac"
    size = {"num_hidden_layers": 1, "hidden_size": 16, "num_attention_heads": 2, "num_key_value_heads": 2}
    decoder = library.DiaDecoderConfig(
        **size, head_dim=8, intermediate_size=16, cross_num_attention_heads=2, cross_num_key_value_heads=2,
        cross_head_dim=8, cross_hidden_size=16, vocab_size=1028, num_channels=9,
    )  # fmt: skip
    encoder = library.DiaEncoderConfig(**size, head_dim=8, intermediate_size=16)
    config = library.DiaConfig(encoder_config=encoder.to_dict(), decoder_config=decoder.to_dict())
    speech = library.DiaForConditionalGeneration(config)
    speech.generation_config.do_sample = True
    speech.save_pretrained(str(model))
    library.DiaTokenizer().save_pretrained(str(model))
    library.DiaFeatureExtractor(sampling_rate=44100).save_pretrained(str(model))
    library.DacModel(
        library.DacConfig(
            encoder_hidden_size=8, downsampling_ratios=[2, 4, 8, 8], decoder_hidden_size=64, n_codebooks=9,
            codebook_size=1024, codebook_dim=4, sampling_rate=44100,
        )
    ).save_pretrained(str(codec))  # fmt: skip
    tiny = Tiny({"path": str(model), "codec": str(codec)}, {"max_new_tokens": 95})
    return _loud(tiny, codec, "decoder.conv2")


def _pocket(folder: Path) -> Tiny:
    return _pocket_like(folder, "PocketTTS", bos={"audio_prompt_bos_token": "<|audio_prompt_bos|>"})


def _phonon(folder: Path) -> Tiny:
    return _pocket_like(folder, "GradiumPhononTTS", bos={}, audio_prompt_dim=12)


def _pocket_like(folder: Path, kind: str, bos: dict[str, str], **more: Any) -> Tiny:
    import torch
    import transformers as library
    from safetensors.torch import save_file

    model, codec = folder / "pocket", folder / "codec"
    named = {
        "audio_prompt_token": "<|audio_prompt|>",
        "audio_latent_token": "<|audio_latent|>",
        "audio_bos_token": "<|audio_bos|>",
        **bos,
    }
    tokenizer = _letters(tuple(named.values()), extra_special_tokens=named)
    ids = {f"{name}_id": tokenizer.convert_tokens_to_ids(token) for name, token in named.items()}
    head = {
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "latent_dim": 8,
        "condition_dim": 16,
        "frequency_embedding_size": 16,
    }
    config = getattr(library, f"{kind}Config")(
        flow_head_config=head, vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, latent_dim=8, **ids, **more,
    )  # fmt: skip
    speech = getattr(library, f"{kind}ForConditionalGeneration")(config)
    with torch.no_grad():
        speech.eos_head.bias.fill_(-20.0)  # the end never comes by itself
        for name, weight in speech.named_parameters():
            if name.startswith("flow_head.final_layer") and name.endswith("weight"):
                weight.normal_(0.0, 0.5)
    speech.save_pretrained(str(model))
    tokenizer.save_pretrained(str(model))
    library.PocketTTSFeatureExtractor().save_pretrained(str(model))
    library.PocketTTSAudioTokenizerModel(
        library.PocketTTSAudioTokenizerConfig(
            hidden_size=16, num_filters=4, upsample_groups=16, num_hidden_layers=1, intermediate_size=16,
            num_attention_heads=2, num_key_value_heads=2, latent_dim=8, sliding_window=32,
        )
    ).save_pretrained(str(codec))  # fmt: skip
    start = "".join(bos.values()) + named["audio_prompt_token"]
    (model / "chat_template.jinja").write_text(
        "{% for turn in messages %}{% for part in turn['content'] %}{% if part['type'] == 'audio' %}" + start
        + "{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endfor %}" + named["audio_bos_token"]
    )  # fmt: skip
    (model / "voices").mkdir()
    save_file(
        {"latents": torch.randn(20, more.get("audio_prompt_dim", 8))}, str(model / "voices" / "carla.safetensors")
    )
    tiny = Tiny({"path": str(model), "codec": str(codec)}, {"max_new_tokens": 12})
    return _loud(tiny, codec, "decoder.decoder_seanet.layers.11.conv")


def _filled(codec: Any, books: str) -> None:
    """Random codebooks: as the library makes them all codes sound the same."""
    for name, buffer in codec.named_buffers():
        if name.rpartition(".")[2] == books:
            buffer.normal_()


def _hifigan() -> dict[str, Any]:
    return {
        "upsample_initial_channel": 16, "upsample_rates": [4, 4, 4, 4], "upsample_kernel_sizes": [8, 8, 8, 8],
        "resblock_kernel_sizes": [3], "resblock_dilation_sizes": [[1]], "model_in_dim": 80,
    }  # fmt: skip


def _letters(special: tuple[str, ...], **options: Any) -> Any:
    """A tokenizer of single letters, made without any file."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    tokens = ["<unk>", "<s>", "</s>", "<pad>", *special, *string.printable[:95]]
    tokenizer = Tokenizer(models.WordLevel({token: index for index, token in enumerate(tokens)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    options = options or {"additional_special_tokens": list(special)}
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", bos_token="<s>", eos_token="</s>", pad_token="<pad>", **options
    )


def _loud(tiny: Tiny, folder: Path, layer: str) -> Tiny:
    """Scale the last layer, so that the sound is as loud as speech."""
    from safetensors.torch import load_file, save_file

    from arena_desktop.engines.worker.adapters.transformers import Engine

    file = folder / "model.safetensors"
    for _ in range(6):  # after a tanh the loudness does not grow in step
        engine = Engine(tiny.files, tiny.settings, [])
        engine.load("cpu")
        peak = float(np.abs(engine.speak(TEXT, tiny.voice, {}, 0)[0]).max())
        engine.close()
        if LOUD / 2 < peak < LOUD * 2:
            break
        weights = load_file(str(file))
        names = [name for name in weights if name.startswith(f"{layer}.") and not name.endswith("original1")]
        assert names, sorted(weights)[-40:]
        for name in names:
            weights[name] *= LOUD / peak
        save_file(weights, str(file), {"format": "pt"})
    return tiny


_VOWELS = "AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW"
_CONSONANTS = "B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH"
ARPABET = [*(vowel + stress for vowel in _VOWELS.split() for stress in "012"), *_CONSONANTS.split()]

BUILDERS: dict[str, Callable[[Path], Tiny]] = {
    "vits": _vits,
    "speecht5": _speecht5,
    "fastspeech2": _fastspeech2,
    "bark": _bark,
    "csm": _csm,
    "dia": _dia,
    "pocket_tts": _pocket,
    "phonon": _phonon,
}

"""Tiny checkpoints with random weights: they sound like nothing, but load and run as real ones do."""

import json
import string
from pathlib import Path
from typing import Any

LETTERS = "_ " + string.ascii_lowercase + "'-"


def tiny_vits(folder: Path, speakers: int = 1, rate: int = 16000, **tokenizer: Any) -> Path:
    """A VITS checkpoint of about 100 KB that reads Latin letters, in ``folder``."""
    import torch
    from transformers import VitsConfig, VitsModel, VitsTokenizer, logging

    logging.disable_progress_bar()  # it would leave a thread
    torch.manual_seed(1)
    folder.mkdir(parents=True, exist_ok=True)
    config = VitsConfig(
        vocab_size=len(LETTERS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        ffn_dim=16,
        flow_size=16,
        spectrogram_bins=9,
        upsample_initial_channel=16,
        upsample_rates=[8, 8],
        upsample_kernel_sizes=[16, 16],
        resblock_kernel_sizes=[3],
        resblock_dilation_sizes=[[1]],
        duration_predictor_num_flows=2,
        duration_predictor_filter_channels=16,
        prior_encoder_num_flows=1,
        prior_encoder_num_wavenet_layers=1,
        posterior_encoder_num_wavenet_layers=1,
        depth_separable_num_layers=1,
        sampling_rate=rate,
        num_speakers=speakers,
        speaker_embedding_size=8 if speakers > 1 else 0,
    )
    VitsModel(config).save_pretrained(str(folder))
    vocabulary = folder / "letters.json"
    vocabulary.write_text(json.dumps({letter: index for index, letter in enumerate(LETTERS)}))
    options = {"add_blank": True, "normalize": True, "phonemize": False, **tokenizer}
    VitsTokenizer(str(vocabulary), pad_token="_", unk_token="_", **options).save_pretrained(str(folder))
    vocabulary.unlink()
    return folder

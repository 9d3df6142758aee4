"""What several adapters share: cutting text, cleaning it, phonemes, joining sound, ONNX sessions. Standard library
and numpy.
"""

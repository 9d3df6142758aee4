"""Models in the form of sherpa-onnx: what a folder holds, and how the library is told."""

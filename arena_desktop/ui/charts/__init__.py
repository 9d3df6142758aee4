"""Charts: what is drawn (one module a chart), how it looks, and how a picture of it is saved.

pyqtgraph is imported inside the functions that draw, when the first chart is opened and not before.
"""

"""The generated pages of docs/, by what they are about; `generate_docs.py` writes them."""

"""The bench signature is the one in the file."""

from bench.signature import FILE, signature


def test_search_behaves_as_the_bench_signature_says():
    """If a change of search behaviour was meant, `make signature` writes the new one; say it in the commit."""
    assert signature() == FILE.read_text()

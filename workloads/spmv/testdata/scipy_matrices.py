"""Matrices in every format that SciPy writes, and A @ x as SciPy computes it. usage: scipy_matrices.py DIRECTORY

Writes NAME.mtx or NAME.npz, NAME.x and NAME.y (little-endian doubles), and the names, a line each, to names.txt.
"""
import sys

import numpy as np
import scipy.io
import scipy.sparse as sparse

directory = sys.argv[1]
names = []
random = np.random.default_rng(20)


def write(name, extension, matrix):
    x = random.standard_normal(matrix.shape[1])
    x.tofile(f"{directory}/{name}.x")
    np.asarray(np.real(matrix @ x), dtype=np.float64).tofile(f"{directory}/{name}.y")
    names.append(f"{name}.{extension}")


def market(name, matrix, **options):
    scipy.io.mmwrite(f"{directory}/{name}.mtx", matrix, **options)
    write(name, "mtx", matrix)


def archive(name, matrix, compressed):
    sparse.save_npz(f"{directory}/{name}.npz", matrix, compressed)
    write(name, "npz", matrix)


general = sparse.random(83, 131, density=0.05, random_state=1, format="csr")
square = sparse.random(64, 64, density=0.1, random_state=2, format="csr")
market("general", general)
market("symmetric", square + square.T, symmetry="symmetric")
market("skew", square - square.T, symmetry="skew-symmetric")
market("hermitian", square + square.T + 1j * (square - square.T), symmetry="hermitian")
market("complex", general + 1j * general.multiply(0.5))
market("integer", (general * 100).astype(np.int64))
market("pattern", general.astype(bool).astype(np.float64), field="pattern")
market("array", general.toarray())
market("empty", sparse.csr_matrix((7, 5)))
duplicates = sparse.coo_matrix(([1.0, 2.0, 4.0, 8.0], ([0, 0, 2, 0], [1, 1, 0, 1])), shape=(3, 3))
market("duplicates", duplicates)
archive("coo_duplicates", duplicates, True)
for kind in ("csr", "csc", "coo", "bsr", "dia"):
    for compressed in (True, False):
        archive(f"{kind}_{compressed}", square.asformat(kind), compressed)
for dtype in (np.float32, np.int8, np.int32, np.uint16, np.complex64, np.complex128):
    archive(f"type_{np.dtype(dtype).name}", (general * 100).astype(dtype), True)
archive("large", sparse.random(3000, 2000, density=0.02, random_state=3, format="csr"), True)
archive("blocks", sparse.kron(sparse.random(20, 30, density=0.2, random_state=4), np.ones((3, 2))).tobsr((3, 2)), True)
archive("diagonals", sparse.spdiags(random.standard_normal((5, 90)), [-60, -1, 0, 3, 89], 70, 90), True)
with open(f"{directory}/names.txt", "w", encoding="ascii") as file:
    file.write("".join(name + "\n" for name in names))

# SPDX-License-Identifier: Apache-2.0
"""Versions: of this package, which is that of the program, and of the documents that it reads."""

VERSION = "0.1.0"
SCHEMA = 1
